#!/usr/bin/env node
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { Refusal } from "@manifold/gateway";
import { MigrationError, StoreUnavailable } from "@manifold/store";
import { OPTIONS } from "./commands/command.ts";
import { commands, USAGE } from "./commands/index.ts";
import { environmentOf } from "./config/environment.ts";
import { ConfigError } from "./config/load.ts";

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

/** Errors of resources that the machine may lack when a server starts: the operator's to mend, and no defect. */
const LACKING = /^(EADDRINUSE|EADDRNOTAVAIL|EACCES|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/;

/** A wrong command line, configuration or argument is one sentence; anything else is a defect. */
const isTold = (error: unknown): error is Error =>
  error instanceof ConfigError ||
  error instanceof Refusal ||
  error instanceof StoreUnavailable ||
  error instanceof MigrationError ||
  LACKING.test((error as NodeJS.ErrnoException).code ?? "") ||
  (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS") === true;

main().catch((error: unknown) => {
  const text = isTold(error) ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
