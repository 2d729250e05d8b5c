import type { Environment } from "../config/variables.ts";
import type { OptionName, Options } from "./options.ts";

/** The arguments of every command. */
export interface Call {
  /** The words after the command's name. */
  words: readonly string[];
  options: Options;
  env: Environment;
  /** Reads the current environment, with its file; absent if it cannot change. */
  readEnv?(): Environment;
  print(text: string): void;
  /** Whether the output goes to a person at a terminal, and is not stored. */
  isTerminal?: boolean;
  /** Reads the next line of the standard input, or all of it. */
  read(part: "line" | "all"): Promise<string>;
  /** Asks a question at a terminal; absent without one. */
  ask?(question: string): Promise<string>;
}

/** Resolves to the exit code. `undefined` means 0, once nothing runs any longer. */
export type Run = (call: Call) => Promise<number | undefined>;

/** A command, as its help page shows it. */
export interface CommandRow {
  /** The command's name and arguments: `create <account> <name>`. */
  form: string;
  /** One line, which begins with a verb. */
  does: string;
  options?: readonly OptionName[];
  /** The environment variables used for options that the command line does not have. */
  variables?: Partial<Record<OptionName, string>>;
  /** What options mean here, where it differs from their usual description. */
  meanings?: Partial<Record<OptionName, string>>;
  /** Further paragraphs of its help page. */
  notes?: string;
  /** Imports the code of this command only, so that others start fast. Absent on a group of `commands`. */
  load?(): Promise<Run>;
  commands?: readonly CommandRow[];
}
