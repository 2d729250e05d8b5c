import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text as allOf } from "node:stream/consumers";
import { Misuse } from "./commands/misuse.ts";
import { EXIT, runLine } from "./commands/program.ts";

// Spares later starts the compilation of what is loaded from here on, which is most of the program. The folder belongs
// to the program, because others could plant code in the default one, below the system's temporary folder.
if (!process.env.NODE_COMPILE_CACHE) enableCompileCache(join(import.meta.dirname, "../.compiled"));

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function read(part: "line" | "all"): Promise<string> {
  if (part === "all") return allOf(process.stdin);
  for await (const line of createInterface({ input: process.stdin })) return line;
  return "";
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

async function main(): Promise<void> {
  const code = await runLine(process.argv.slice(2), {
    print,
    read,
    isTerminal: process.stdout.isTTY,
    ...(process.stdin.isTTY && process.stdout.isTTY && { ask }),
    async environment(config) {
      // Loaded only when a command runs, so that a help page appears at once.
      const { environmentOf } = await import("./config/environment.ts");
      const readEnv = () => environmentOf(process.env, config);
      return { env: readEnv(), readEnv };
    },
  });
  if (code !== undefined) process.exitCode = code;
}

// stdout was closed early (`| head`), which is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

main().catch(async (error: unknown) => {
  const isMisuse = error instanceof Misuse;
  const message = isMisuse ? error.message : (await import("./error-message.ts")).describeError(error);
  process.stderr.write(`${message}\n`);
  process.exit(isMisuse ? EXIT.misused : EXIT.failed);
});
