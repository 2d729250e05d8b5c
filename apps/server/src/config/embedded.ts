import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import embedded from "./embedded.json" with { type: "json" };
import { checkDocument } from "./load.ts";
import { EMBEDDED } from "./origins.ts";
import { ConfigError } from "./read.ts";
import type { Config } from "./schema.ts";
import { ensureSecrets, type Secrets } from "./secrets.ts";
import type { Environment } from "./variables.ts";

/** The data folder of an installation without a configuration file: that of its database, if that is a file. */
export function dataFolder(env: Environment): string {
  const [, file] = /^sqlite:(?!:memory:)(.+)$/.exec(env.DATABASE_URL ?? "") ?? [];
  return file === undefined ? "./data" : dirname(file);
}

/** The stored secrets of an installation without a file; if it has none, secrets that decrypt nothing. */
export function savedSecrets(env: Environment): Secrets {
  const file = join(dataFolder(env), "secrets.json");
  return existsSync(file) ? ensureSecrets(file) : { session: "0".repeat(64), seal: "0".repeat(64) };
}

/** The generated admin key of an installation without one, with which the console's first link signs in. */
const operatorKey = ({ session }: Secrets): string =>
  createHmac("sha256", session).update("operator").digest("hex");

/**
 * The configuration of a start without a file: SQLite in a data folder, and the simulator as the provider of models of
 * every protocol and medium. These are in `embedded.json`; its media models have the names and limits of real ones.
 * `origin` is the simulator's address; `secrets` are those of this installation; `further` are additional models.
 */
export function embeddedDocument(
  origin: string,
  env: Environment,
  secrets: Secrets,
  further: object = {},
): object {
  const folder = dataFolder(env);
  return {
    server: {
      host: env.HOST || "127.0.0.1",
      port: Number(env.PORT || 8787),
      ...(env.MANIFOLD_WARM_UP && { warmUp: Number(env.MANIFOLD_WARM_UP) }),
      adminKey: env.MANIFOLD_ADMIN_KEY || operatorKey(secrets),
    },
    sessions: { secret: secrets.session },
    keyEncryptionSecrets: [secrets.seal],
    // Replies are kept too, because someone who tries the service out wants to see them.
    records: { replies: "full" },
    store: env.DATABASE_URL || "sqlite:./data/manifold.db",
    objects: env.MANIFOLD_OBJECTS || `file:${join(folder, "objects")}`,
    // The provider runs in this process, so it can open all links of the service.
    media: { public: true, poll: { initial: 200, max: 2_000 } },
    providers: Object.fromEntries(
      Object.entries(embedded.providers).map(([id, options]) => [
        id,
        { origin, key: "simulator", ...options },
      ]),
    ),
    models: { ...embedded.models, ...further },
  };
}

/** Checks and completes that document. A problem of a setting that came from a variable names the variable. */
export function parseEmbedded(document: object, env: Environment): Config {
  const checked = checkDocument(document, env);
  if ("config" in checked) return checked.config;
  const lines = checked.problems.map(({ path, line }) => {
    const setting = path.join(".");
    const variable = EMBEDDED[setting];
    return variable && env[variable] ? line.replace(setting, variable) : line;
  });
  throw new ConfigError(
    ["a start without a configuration file cannot use this:", ...lines.map((line) => `  ${line}`)].join("\n"),
  );
}

/** The same, checked and completed. */
export const embeddedConfig = (...given: Parameters<typeof embeddedDocument>): Config =>
  parseEmbedded(embeddedDocument(...given), given[1]);
