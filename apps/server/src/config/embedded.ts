import { dirname, join } from "node:path";
import { mediaModels, mediaProviders } from "./embedded-media.ts";
import { type Environment, parseConfig } from "./load.ts";
import type { Config } from "./schema.ts";
import type { Secrets } from "./secrets.ts";

/** The simulator's text models: one for each protocol. */
const models = {
  "sim-chat": ["chatstyle", "Simulated chat-completions model"],
  "sim-responses": ["responses", "Simulated responses model"],
  "sim-messages": ["msgstyle", "Simulated messages model"],
  "sim-generate": ["genstyle", "Simulated generate-content model"],
} as const;

const providerOf = (protocol: string): string => `simulator-${protocol}`;

/** The simulator under a name for each of its protocols, and for what it makes besides. */
const providers: Record<string, object> = {
  ...Object.fromEntries(Object.values(models).map(([protocol]) => [providerOf(protocol), { protocol }])),
  ...mediaProviders,
};

/** Where an installation without a file keeps what is its own: beside its database, where that is a file. */
export function dataFolder(env: Environment): string {
  const [, file] = /^sqlite:(?!:memory:)(.+)$/.exec(env.DATABASE_URL ?? "") ?? [];
  return file === undefined ? "./data" : dirname(file);
}

/**
 * What `npm start` runs without a file: SQLite in a data folder, and the simulator as the provider of models of
 * every protocol and kind of media. `origin` is where the simulator listens; `secrets` are those of this installation.
 */
export function embeddedConfig(origin: string, env: Environment, secrets: Secrets): Config {
  const price = { input: 1, output: 2 };
  const folder = dataFolder(env);
  return parseConfig(
    {
      server: {
        host: env.HOST || "127.0.0.1",
        port: Number(env.PORT || 8787),
        adminKey: env.MANIFOLD_ADMIN_KEY,
      },
      sessions: { secret: secrets.session },
      keyEncryptionSecrets: [secrets.seal],
      store: env.DATABASE_URL || "sqlite:./data/manifold.db",
      objects: env.MANIFOLD_OBJECTS || `file:${join(folder, "objects")}`,
      // The provider runs in this very process: it can open whatever we link to.
      media: { public: true, poll: { initial: 200, max: 2_000 } },
      providers: Object.fromEntries(
        Object.entries(providers).map(([id, options]) => [id, { origin, key: "simulator", ...options }]),
      ),
      models: {
        ...Object.fromEntries(
          Object.entries(models).map(([id, [protocol, name]]) => [
            id,
            {
              name,
              input: ["text", "image", "file", "audio"],
              entries: [{ provider: providerOf(protocol), name: id, price }],
            },
          ]),
        ),
        ...mediaModels,
        "sim-embedding": {
          name: "Simulated embedding model",
          output: ["embedding"],
          entries: [{ provider: providerOf("chatstyle"), name: "sim-embedding", price: { input: 0.02 } }],
        },
      },
    },
    env,
    "embedded configuration",
  );
}
