#!/usr/bin/env node
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { Refusal } from "@manifold/gateway";
import { OPTIONS } from "./commands/command.ts";
import { commands, USAGE } from "./commands/index.ts";
import { ConfigError } from "./config/load.ts";

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return "";
}

async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [name = "start", ...words] = positionals;
  if (options.help) return print(USAGE);
  const command = commands.get(name);
  if (!command) throw new ConfigError(`unknown command '${name}'\n${USAGE}`);
  const code = await command.run({ words, options, env: process.env, print, read: readLine });
  if (code !== undefined) process.exitCode = code;
}

/** What is wrong with the words, the configuration or the wish is told in one sentence; anything else is a defect. */
const isTold = (error: unknown): error is Error =>
  error instanceof ConfigError ||
  error instanceof Refusal ||
  (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS") === true;

main().catch((error: unknown) => {
  const text = isTold(error) ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
