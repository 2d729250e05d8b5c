import { userInfo } from "node:os";
import { join } from "node:path";
import { alertsFor } from "@manifold-gateway/gateway";
import { type By, type Declaration, inspectDatabase, type Store } from "@manifold-gateway/store";
import type { ZodType } from "zod";
import { declaredConfig } from "../config/declarations.ts";
import { dataFolder, embeddedDocument, parseEmbedded } from "../config/embedded.ts";
import { checkValue, describeFaults } from "../config/findings.ts";
import { loadWithSource, type Settings } from "../config/load.ts";
import { configFile } from "../config/locate.ts";
import { embeddedSource } from "../config/origins.ts";
import type { Config } from "../config/schema.ts";
import { ensureSecrets, type Secrets } from "../config/secrets.ts";
import { storeUrl } from "../config/store.ts";
import type { Environment } from "../config/variables.ts";
import { toWebhooks } from "../config/webhooks.ts";
import { openStore } from "../host.ts";
import type { Call, Run } from "./call.ts";
import { Misuse } from "./misuse.ts";

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

/**
 * The settings that a start would use, to which the database may add declarations. Secrets of an installation without a
 * file are created, unless `secretsOf` only reads them.
 */
export function findSettings(
  { options, env }: Pick<Call, "options" | "env">,
  secretsOf: (env: Environment) => Secrets = embeddedSecrets,
): Settings {
  const file = configFile({ options, env });
  if (file !== undefined) return loadWithSource(file, env);
  const document = embeddedDocument("http://127.0.0.1", env, secretsOf(env));
  const config = parseEmbedded(document, env);
  return { config, env, source: embeddedSource(env), document };
}

/** The configuration of these settings. */
export const findConfig = (call: Pick<Call, "options" | "env">): Config => findSettings(call).config;

/**
 * Runs work on the configured store, which other processes may use at the same time, and the configuration with what
 * the store declares. `base` is the configuration without it.
 */
export async function withStore<T>(
  call: Call,
  work: (store: Store, config: Config, base: Settings) => Promise<T>,
): Promise<T> {
  const base = findSettings(call);
  const store = await openStore(storeUrl(base.config.store));
  try {
    // The command may be about to repair a file that cannot be used yet.
    const config = await declaredConfig(base, store);
    // Webhooks get an event if a lowered cap is reached at once.
    store.setAlerts(alertsFor(toWebhooks(config.webhooks)));
    return await work(store, config, base);
  } finally {
    await store.close();
  }
}

/**
 * The declarations in the database at an address. There are none if the database does not exist or lacks migrations,
 * because opening it would create or migrate it. Throws `StoreUnavailable` if it cannot be reached.
 */
export async function storedDeclarations(url: string): Promise<Declaration[]> {
  const { exists, pending, refusal } = await inspectDatabase(url);
  if (!exists || pending > 0 || refusal !== undefined) return [];
  const store = await openStore(url);
  try {
    return await store.declarations.list();
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

/** Validates a word of the command line like the same field of a request. Throws `Misuse` if it is invalid. */
export function fieldOf<T>(name: string, field: ZodType<T>, word: unknown): T {
  const checked = checkValue(field, word);
  if ("value" in checked) return checked.value;
  throw new Misuse(`${name}: ${describeFaults(checked.faults)}`);
}
