import { writeFileSync } from "node:fs";
import { type JsonObject, type Traits, toArray, toObject, toText } from "@manifold-gateway/core/codec";
import { messageOf } from "@manifold-gateway/gateway/admin";
import { familyRowsOf, type UpstreamProtocol } from "@manifold-gateway/providers";
import { type TraitOrigin, traitOrigins } from "@manifold-gateway/providers/routing";
import { toModels, toProviders } from "../config/build.ts";
import { readDocument } from "../config/document.ts";
import { parseDocument } from "../config/load.ts";
import { configFile } from "../config/locate.ts";
import { ConfigError } from "../config/read.ts";
import type { Config } from "../config/schema.ts";
import { originOf } from "./address.ts";
import type { Call, Run } from "./call.ts";
import { showAll } from "./show.ts";

const COLUMNS = ["model", "provider", "name", "protocol", "trait", "value", "from"];

/** One trait of an entry on one protocol. */
type TraitRow = Record<"model" | "provider" | "name" | "protocol" | "trait" | "from", string> & {
  value: unknown;
};

/** What a running service learnt of one entry. */
interface LearntEntry {
  provider: string;
  name: string;
  protocol: string;
  traits: JsonObject;
  because: string;
}

/** The file that a command is about, and its content. */
function openFile(call: Call) {
  const file = configFile(call);
  if (file === undefined) throw new ConfigError("catalog needs a configuration file; name it with --config");
  const document = readDocument(file);
  return { file, document, config: parseDocument(document, call.env, file) };
}

/** Lists the traits of the file's models with their sources. Without a running service, nothing is learnt. */
async function traits(call: Call): Promise<number> {
  const { config } = openFile(call);
  const learnt = await learntBy(config).catch((error: unknown) => {
    if (error instanceof NoService) return [];
    throw refusedBy(config, error);
  });
  await showAll(call, COLUMNS, rowsOf(config, learnt));
  return 0;
}

/** Writes what a running service has learnt into the file, except for traits that an entry sets. */
async function learn(call: Call): Promise<number> {
  const { file, document, config } = openFile(call);
  const learnt = await learntBy(config).catch((error: unknown) => {
    throw refusedBy(config, error);
  });
  const values = valuesOf(config, learnt);
  for (const [path, value] of values) call.print(`${path.slice(1).join(".")}: ${JSON.stringify(value)}`);
  if (values.length === 0) call.print("nothing to change");
  else {
    writeFileSync(file, document.withValues(values));
    call.print(`${file}: ${values.length} changes written`);
  }
  return 0;
}

export const catalogTraits = { traits, learn } satisfies Record<string, Run>;

/** No service runs at the configured address, or none that has an operator's interface. */
class NoService extends Error {}

const refusedBy = (config: Config, error: unknown): ConfigError =>
  new ConfigError(`${originOf(config)} does not say what it has learnt: ${messageOf(error)}`);

/**
 * The lessons of the service that the configuration describes, requested as an operator. Rejects with `NoService` if
 * there is none, and with another error if it refuses.
 */
async function learntBy(config: Config): Promise<LearntEntry[]> {
  const { adminKey, adminKeys } = config.server;
  const key = adminKey ?? Object.values(adminKeys)[0];
  if (key === undefined) throw new NoService("server.adminKey is not set");
  const answer = await fetch(`${originOf(config)}/api/admin/state`, {
    headers: { "x-admin-key": key },
    signal: AbortSignal.timeout(5_000),
    redirect: "manual",
  }).catch((error: unknown) => {
    throw new NoService(messageOf(error));
  });
  if (!answer.ok) throw new Error(`the service answers with status ${answer.status}`);
  const state = toObject(await answer.json());
  return toArray(state.providers).flatMap((provider) =>
    toArray(toObject(provider).entries).flatMap((entry) =>
      toArray(toObject(entry).learnt).map((one) => {
        const { protocol, traits, because } = toObject(one);
        return {
          provider: toText(toObject(provider).id),
          name: toText(toObject(entry).name),
          protocol: toText(protocol),
          traits: toObject(traits),
          because: toText(because),
        };
      }),
    ),
  );
}

function* rowsOf(config: Config, learnt: readonly LearntEntry[]): Generator<TraitRow> {
  const providers = toProviders(config);
  for (const { id: model, entries } of toModels(config))
    for (const entry of entries) {
      const provider = providers.get(entry.provider);
      if (!provider) continue;
      for (const protocol of entry.speaks ?? (Object.keys(provider.speaks) as UpstreamProtocol[])) {
        const lessons = learnt.filter((one) => isAbout(one, entry) && one.protocol === protocol);
        const traits = traitOrigins(entry, provider, protocol, learntFrom(lessons));
        const place = { model, provider: entry.provider, name: entry.name, protocol };
        for (const { trait, value, from } of traits)
          yield { ...place, trait, value, from: describeOrigin({ trait, from }, entry.name, lessons) };
      }
    }
}

const learntFrom = (lessons: readonly LearntEntry[]): Traits =>
  Object.assign({}, ...lessons.map(({ traits }) => traits));

/** The origin of a trait with its rows or the provider's words. */
function describeOrigin(
  { trait, from }: Pick<TraitOrigin, "trait" | "from">,
  name: string,
  lessons: readonly LearntEntry[],
): string {
  if (from === "family") return familyOf(name);
  if (from !== "learnt") return from;
  return `learnt: ${lessons.findLast(({ traits }) => trait in traits)?.because}`;
}

/** The rows of known models that a name fits. */
const familyOf = (name: string): string =>
  `known: ${familyRowsOf(name)
    .map(({ row }) => row)
    .join(", ")}`;

const isAbout = (
  { provider, name }: Pick<LearntEntry, "provider" | "name">,
  entry: Pick<LearntEntry, "provider" | "name">,
): boolean => provider === entry.provider && name === entry.name;

/** The learnt traits that the file's entries do not set, with their paths. */
function valuesOf(
  config: Config,
  learnt: readonly LearntEntry[],
): [path: (string | number)[], value: never][] {
  return Object.entries(config.models).flatMap(([model, { entries }]) =>
    entries.flatMap((entry, i) => {
      const traits = Object.assign(
        {},
        ...learnt.filter((one) => isAbout(one, entry)).map((one) => one.traits),
      );
      return Object.entries(traits).flatMap(([trait, value]): [(string | number)[], never][] =>
        Object.hasOwn(entry.traits ?? {}, trait)
          ? []
          : [[["models", model, "entries", i, "traits", trait], value as never]],
      );
    }),
  );
}
