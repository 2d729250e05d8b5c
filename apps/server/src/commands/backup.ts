import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { backupSqlite } from "@manifold-gateway/store";
import { dataFolder } from "../config/embedded.ts";
import { configFile } from "../config/locate.ts";
import { ConfigError, whyNotMade } from "../config/read.ts";
import type { Config } from "../config/schema.ts";
import { storeUrl } from "../config/store.ts";
import type { Call, Run } from "./call.ts";
import { findConfig } from "./command.ts";

export const backup: Run = async (call) => {
  const [target = ""] = call.words;
  const config = findConfig(call);
  const path = databaseOf(config, target);
  if (existsSync(target)) throw new ConfigError(`${target} exists already; a backup overwrites nothing`);
  const draft = makeDraft(target);
  try {
    const name = basename(path);
    const bytes = await backupSqlite(path, join(draft, name));
    const secrets = secretsOf(call);
    if (secrets !== undefined) copyFileSync(secrets, join(draft, basename(secrets)));
    renameSync(draft, target);
    call.print(`${join(target, name)}: ${bytes} bytes, checked`);
    if (secrets !== undefined) call.print(join(target, basename(secrets)));
    for (const line of restOf(call, config, target)) call.print(line);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  return 0;
};

/** Creates a draft for a backup, which gets the backup's name only when it is complete. */
function makeDraft(target: string): string {
  try {
    return mkdtempSync(`${target}.`);
  } catch (error) {
    throw new ConfigError(`${target} cannot be made: ${whyNotMade(error)}`);
  }
}

/** The file of secrets that an installation without a configuration file keeps next to its database. */
function secretsOf(call: Call): string | undefined {
  const path = join(dataFolder(call.env), "secrets.json");
  return configFile(call) === undefined && existsSync(path) ? path : undefined;
}

function databaseOf(config: Config, target: string): string {
  const store = storeUrl(config.store);
  if (!store.startsWith("sqlite:")) throw new ConfigError(postgresHint(store, target));
  const path = store.slice("sqlite:".length);
  if (path === ":memory:") throw new ConfigError("the database is in memory; there is nothing to back up");
  if (!existsSync(path)) throw new ConfigError(`there is no database at ${path}`);
  return path;
}

function postgresHint(store: string, target: string): string {
  const url = new URL(store);
  url.password = "";
  return [
    "backup copies SQLite databases. For Postgres use its own tool, with the password in PGPASSWORD:",
    `  (umask 077 && pg_dump --format=custom --no-owner --file=${quoted(target)} ${quoted(url.href)})`,
  ].join("\n");
}

/** Lists what the backup does not contain. */
function restOf(call: Call, { objects }: Config, target: string): string[] {
  const file = configFile(call);
  const folder = objects.startsWith("file:") ? objects.slice("file:".length) : undefined;
  return [
    ...(file === undefined ? [] : [`Store with it: ${file}, and the secrets in its variables.`]),
    folder === undefined
      ? `Files are in ${objects.replace(/\?.*/, "")}, which keeps them by itself.`
      : `Files are not included. Copy them after the database: cp -R ${quoted(folder)} ${quoted(join(target, "objects"))}`,
  ];
}

/** Quotes a word for a shell. */
const quoted = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
