import { userInfo } from "node:os";
import { join } from "node:path";
import { alertsFor } from "@manifold-gateway/gateway";
import type { By, Store } from "@manifold-gateway/store";
import type { ZodType } from "zod";
import { dataFolder, embeddedConfig } from "../config/embedded.ts";
import { loadConfig } from "../config/load.ts";
import { configFile } from "../config/locate.ts";
import { ConfigError } from "../config/read.ts";
import type { Config } from "../config/schema.ts";
import { ensureSecrets, type Secrets } from "../config/secrets.ts";
import type { Environment } from "../config/variables.ts";
import { toWebhooks } from "../config/webhooks.ts";
import { openStore } from "../host.ts";
import type { Call, Run } from "./call.ts";

/** The person who runs a command, for the audit log. */
export function byCommand(): By {
  let user = `${process.getuid?.() ?? "unknown"}`;
  try {
    user = userInfo().username;
  } catch {
    // A container's user may have only a number.
  }
  return { actor: `command:${user}`, at: Date.now() };
}

/** The secrets of an installation without a file. */
export const embeddedSecrets = (env: Environment): Secrets =>
  ensureSecrets(join(dataFolder(env), "secrets.json"));

/** The configuration that a start would use. */
export function findConfig(call: Pick<Call, "options" | "env">): Config {
  const file = configFile(call);
  if (file !== undefined) return loadConfig(file, call.env);
  return embeddedConfig("http://127.0.0.1", call.env, embeddedSecrets(call.env));
}

/** Runs work on the configured store, which other processes may use at the same time. */
export async function withStore<T>(
  call: Call,
  work: (store: Store, config: Config) => Promise<T>,
): Promise<T> {
  const config = findConfig(call);
  // Lowering a cap may reach it at once, which is an event for webhooks.
  const store = await openStore(config.store, { alerts: alertsFor(toWebhooks(config.webhooks)) });
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

/** Commands that use the configured store, by their names. */
export const onStore = <Name extends string>(
  works: Record<Name, (store: Store, call: Call, config: Config) => Promise<void>>,
): Record<Name, Run> =>
  Object.fromEntries(
    Object.entries<(typeof works)[Name]>(works).map(([name, work]): [string, Run] => [
      name,
      (call) => withStore(call, (store, config) => work(store, call, config)).then(() => 0),
    ]),
  ) as Record<Name, Run>;

/** Validates a word of the command line like the same field of a request. */
export function fieldOf<T>(name: string, field: ZodType<T>, word: unknown): T {
  const read = field.safeParse(word);
  if (read.success) return read.data;
  throw new ConfigError(`${name}: ${read.error.issues.map(({ message }) => message).join(", ")}`);
}
