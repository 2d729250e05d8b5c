import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { By, Store } from "@manifold-gateway/store";
import type { ZodType } from "zod";
import { dataFolder, embeddedConfig } from "../config/embedded.ts";
import { loadConfig } from "../config/load.ts";
import { ConfigError } from "../config/read.ts";
import type { Config } from "../config/schema.ts";
import { ensureSecrets, type Secrets } from "../config/secrets.ts";
import type { Environment } from "../config/variables.ts";
import { openStore } from "../host.ts";

/** The arguments of every command. */
export interface Call {
  /** The words after the command's name. */
  words: string[];
  options: Options;
  env: Environment;
  /** The environment as it is now, with its file read again; absent where it cannot change. */
  readEnv?(): Environment;
  print(text: string): void;
  /** True if what is printed is read by a person, and kept nowhere. */
  isTerminal?: boolean;
  /** The next line of what is piped in. */
  read(): Promise<string>;
}

/** The options of all commands; each takes those that its usage names. */
export const OPTIONS = {
  config: { type: "string", short: "c" },
  help: { type: "boolean", short: "h" },
  repair: { type: "boolean" },
  id: { type: "string" },
  kind: { type: "string" },
  reference: { type: "string" },
  login: { type: "string" },
  surface: { type: "string" },
  body: { type: "string" },
  model: { type: "string" },
  account: { type: "string" },
  daily: { type: "string" },
  weekly: { type: "string" },
  monthly: { type: "string" },
  total: { type: "string" },
  "requests-per-minute": { type: "string" },
  "tokens-per-minute": { type: "string" },
  "concurrent-requests": { type: "string" },
  models: { type: "string" },
  surfaces: { type: "string" },
  "expires-at": { type: "string" },
  requests: { type: "string" },
  seed: { type: "string" },
} as const;

export type Options = { [name in Exclude<keyof typeof OPTIONS, "help" | "repair">]?: string } & {
  help?: boolean;
  repair?: boolean;
};

/** A word of the command line. */
export interface Command {
  /** One line for each form: its arguments, and what it does. */
  usage: readonly (readonly [form: string, does: string])[];
  /** Resolves to the exit code; nothing is 0, unless something goes on running. */
  run(call: Call): Promise<number | undefined>;
}

/** The person who runs a command, for the audit log. */
export function byCommand(): By {
  let user = `${process.getuid?.() ?? "unknown"}`;
  try {
    user = userInfo().username;
  } catch {
    // A container's user may have a number and no name.
  }
  return { actor: `command:${user}`, at: Date.now() };
}

/** The file that a command is configured by, where there is one. */
export const configFile = ({ options, env }: Pick<Call, "options" | "env">): string | undefined =>
  options.config ?? env.MANIFOLD_CONFIG ?? (existsSync("manifold.json") ? "manifold.json" : undefined);

/** The secrets of an installation without a file. */
export const embeddedSecrets = (env: Environment): Secrets =>
  ensureSecrets(join(dataFolder(env), "secrets.json"));

/** The configuration that a start would use. */
export function findConfig(call: Pick<Call, "options" | "env">): Config {
  const file = configFile(call);
  if (file !== undefined) return loadConfig(file, call.env);
  return embeddedConfig("http://127.0.0.1", call.env, embeddedSecrets(call.env));
}

/** Runs work on the configured store, which other processes may be using. */
export async function withStore<T>(
  call: Call,
  work: (store: Store, config: Config) => Promise<T>,
): Promise<T> {
  const config = findConfig(call);
  const store = await openStore(config.store);
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

/** A word of the command line, held to what the same field of a request is held to. */
export function fieldOf<T>(name: string, field: ZodType<T>, word: unknown): T {
  const read = field.safeParse(word);
  if (read.success) return read.data;
  throw new ConfigError(`${name}: ${read.error.issues.map(({ message }) => message).join(", ")}`);
}

/** Words that make no sense; the answer is how it is meant. */
export const misused = ({ usage }: Pick<Command, "usage">, name: string): ConfigError =>
  new ConfigError(usageOf(name, usage));

export const usageOf = (name: string, usage: Command["usage"]): string =>
  usage.map(([form, does]) => `  manifold ${`${name} ${form}`.trim().padEnd(58)} ${does}`).join("\n");
