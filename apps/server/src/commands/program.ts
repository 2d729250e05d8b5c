import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { Command, CommanderError, Option } from "commander";
import type { Call, CommandRow } from "./call.ts";
import { commands } from "./index.ts";
import { Misuse } from "./misuse.ts";
import { OPTIONS, type OptionName } from "./options.ts";

/** The exit codes of every command. */
export const EXIT = { done: 0, failed: 1, misused: 2 } as const;

const NOTES = `
<account> is an id or a name. Without --config the file that MANIFOLD_CONFIG names is read, then ./manifold.json,
.jsonc, .yaml or .yml, with the variables of ./manifold.env; without any of them a simulator serves models of every
protocol, with SQLite in ./data.

Exit codes: ${EXIT.done} done, ${EXIT.failed} failed, or found something wrong, ${EXIT.misused} a wrong command line.`;

const VERSION = (): string =>
  JSON.parse(readFileSync(findPackageJSON("..", import.meta.url) as string, "utf8")).version;

const optionOf = (name: OptionName, variable?: string, meaning?: string): Option => {
  const [flags, description] = OPTIONS[name];
  const text = meaning ?? description;
  return new Option(flags, variable === undefined ? text : `${text} [variable: ${variable}]`);
};

/** The environment in which a command line runs. */
export interface Surroundings extends Pick<Call, "print" | "isTerminal" | "read" | "ask"> {
  /** Reads the environment, only if a command needs it; `config` is the file that its command line names. */
  environment(config?: string): Promise<Pick<Call, "env" | "readEnv">>;
}

/** Runs a command line and resolves to the exit code: see `Run`. Throws `Misuse` if it is invalid. */
export async function runLine(
  words: readonly string[],
  { environment, ...rest }: Surroundings,
): Promise<number | undefined> {
  let errors = "";
  let code: number | undefined;
  const output = {
    writeOut: (text: string) => rest.print(text.replace(/\n$/, "")),
    writeErr: (text: string) => {
      errors += text;
    },
  };
  const run = async (row: CommandRow, command: Command): Promise<void> => {
    refuseStray(program, command);
    const work = await row.load?.();
    const line = { words: command.args, options: command.optsWithGlobals() };
    code = await work?.({ ...rest, ...(await environment(line.options.config)), ...line });
  };
  const program = new Command("manifold")
    .description("One generation backend behind three drop-in API surfaces.")
    .version(VERSION(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show how a command is used")
    .addOption(optionOf("config", "MANIFOLD_CONFIG"))
    .addOption(optionOf("json"))
    .usage("[command] [options]")
    .addHelpText("after", NOTES);
  for (const one of [program, ...commands.flatMap((row) => addCommand(program, row, run))])
    one
      .exitOverride()
      .configureOutput(output)
      .configureHelp({
        showGlobalOptions: true,
        // Those of every command, and none of a group that is a command itself, such as 'archive'.
        visibleGlobalOptions: (command) => (command === program ? [] : [...program.options]),
      });
  try {
    await program.parseAsync(withDefault(program, words), { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    throw new Misuse(errors.trimEnd());
  }
}

/** Throws `Misuse` for options of a group that is a command itself, which a command of the group would ignore. */
function refuseStray(program: Command, { parent }: Command): void {
  if (parent === null || parent === program) return;
  const stray = parent.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (stray) throw new Misuse(`error: unknown option '${stray.long}'`);
}

/** A command line without a command is a start. */
function withDefault(program: Command, words: readonly string[]): readonly string[] {
  const { operands, unknown } = program.parseOptions([...words]);
  const asks = unknown.some((word) => ["-h", "--help", "-V", "--version"].includes(word));
  return operands.length === 0 && !asks ? ["start", ...words] : words;
}

/** Adds a command and all its subcommands. */
function addCommand(
  parent: Command,
  { commands: inner = [], ...row }: CommandRow,
  run: (row: CommandRow, command: Command) => Promise<void>,
): Command[] {
  const command = parent.command(row.form).description(row.does).helpOption("-h, --help", "show this page");
  for (const name of row.options ?? [])
    command.addOption(optionOf(name, row.variables?.[name], row.meanings?.[name]));
  if (row.notes) command.addHelpText("after", `\n${row.notes}`);
  command.showHelpAfterError(`See '${pathOf(command)} --help'.`);
  if (row.load) command.action(() => run(row, command));
  return [command, ...inner.flatMap((one) => addCommand(command, one, run))];
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
