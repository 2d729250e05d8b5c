import type { Environment } from "../config/variables.ts";
import type { OptionName, Options } from "./options.ts";

/** The arguments of every command. */
export interface Call {
  /** The words after the command's name. */
  words: readonly string[];
  options: Options;
  env: Environment;
  /** The environment as it is now, with its file read again; absent where it cannot change. */
  readEnv?(): Environment;
  print(text: string): void;
  /** True if what is printed is read by a person, and kept nowhere. */
  isTerminal?: boolean;
  /** The next line of what is piped in. */
  read(): Promise<string>;
  /** The answer of a person to a question; absent where there is none to ask. */
  ask?(question: string): Promise<string>;
}

/** Resolves to the exit code; nothing is 0, unless something goes on running. */
export type Run = (call: Call) => Promise<number | undefined>;

/** A command, as its help page shows it. */
export interface CommandRow {
  /** Its name and its arguments: `create <account> <name>`. */
  form: string;
  /** One line, which begins with a verb. */
  does: string;
  options?: readonly OptionName[];
  /** The environment variables that stand for options that the line does not have. */
  variables?: Partial<Record<OptionName, string>>;
  /** Further paragraphs of its help page. */
  notes?: string;
  /** Imports the code of this command alone, so that no other has to wait for it. Absent on a group of `commands`. */
  load?(): Promise<Run>;
  commands?: readonly CommandRow[];
}
