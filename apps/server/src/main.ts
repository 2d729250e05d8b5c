#!/usr/bin/env node
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { OPTIONS } from "./commands/command.ts";
import { commands, USAGE } from "./commands/index.ts";
import { environmentOf } from "./config/environment.ts";
import { ConfigError } from "./config/read.ts";
import { sayError } from "./told.ts";

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return "";
}

const readEnv = () => environmentOf(process.env);

async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [name = "start", ...words] = positionals;
  if (options.help) return print(USAGE);
  const command = commands.get(name);
  if (!command) throw new ConfigError(`unknown command '${name}'\n${USAGE}`);
  const code = await command.run({
    words,
    options,
    env: readEnv(),
    readEnv,
    print,
    read: readLine,
    isTerminal: process.stdout.isTTY,
  });
  if (code !== undefined) process.exitCode = code;
}

// stdout was closed early (`| head`), which is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

main().catch((error: unknown) => {
  process.stderr.write(`${sayError(error)}\n`);
  process.exit(1);
});
