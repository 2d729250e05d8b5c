import { runLine } from "../../apps/server/src/commands/program.ts";

export interface Ran {
  code: number | undefined;
  /** All that was printed. */
  output: string;
  /** Its lines, each read as JSON where it is. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of them.
  lines: any[];
}

/** What a command line prints in this very process, and how it ends: without a terminal, unless one is asked for. */
export async function runCommand(
  line: string | readonly string[],
  {
    env = {},
    input = "",
    ask,
    isTerminal = false,
  }: {
    env?: Record<string, string>;
    input?: string;
    ask?(question: string): Promise<string>;
    isTerminal?: boolean;
  } = {},
): Promise<Ran> {
  let output = "";
  const code = await runLine(typeof line === "string" ? line.split(" ") : line, {
    print: (text) => {
      output += `${text}\n`;
    },
    isTerminal,
    read: async (part) => (part === "line" ? (input.split("\n")[0] ?? "") : input),
    ...(ask && { ask }),
    environment: async () => ({ env }),
  });
  return {
    code,
    output,
    get lines() {
      return linesOf(output);
    },
  };
}

/** Lines, each read as JSON where it is. */
export const linesOf = (output: string): Ran["lines"] =>
  output
    .split("\n")
    .filter(Boolean)
    .map((line) => (line.startsWith("{") ? JSON.parse(line) : line));
