import type { Setting } from "@manifold-gateway/gateway";
import { z } from "zod";
import { flatten } from "./flatten.ts";
import type { Origins } from "./origins.ts";
import { withoutSecrets } from "./redact-secrets.ts";
import { effectOf } from "./reload.ts";
import { type Config, configSchema } from "./schema.ts";

/** The sections to show: models and accounts have screens and routes of their own. */
const shown = ({ $schema: _, models: _m, accounts: _a, ...sections }: Config): [string, unknown][] =>
  flatten(withoutSecrets(sections));

/** A value to show, with each secret replaced by the beginning of its hash. */
function shownValue(value: unknown): Setting["value"] {
  if (Array.isArray(value)) return value.map(shownValue);
  return typeof value === "string"
    ? value.replace(/^secret (?=[0-9a-f]{6}$)/, "set, sha256 ")
    : (value as Setting["value"]);
}

type Described = { description?: string; properties?: Record<string, Described> } & {
  additionalProperties?: Described | boolean;
};

/** The schema's description of the setting at a path. */
function aboutOf(path: string): string | undefined {
  let at: Described | undefined = described();
  for (const name of path.split(".")) {
    const others: Described | boolean | undefined = at?.additionalProperties;
    at = at?.properties?.[name] ?? (typeof others === "object" ? others : undefined);
  }
  return at?.description;
}

let schema: Described | undefined;
const described = (): Described => {
  schema ??= z.toJSONSchema(configSchema, { io: "input", reused: "inline" }) as Described;
  return schema;
};

interface SettingsOptions {
  /** The configuration that was read last. Default: the one in force. */
  next?: Config;
  /** Whether the process is one of several. Default: false. */
  isOneOfSeveral?: boolean;
}

/**
 * The settings in force: the value of each, whether it is the default, its origin, and when a change takes effect. A
 * setting that waits for a restart has its next value in `pending`, null if it is no longer in the file.
 */
export function settingsOf(
  config: Config,
  origins: Origins = {},
  { next = config, isOneOfSeveral = false }: SettingsOptions = {},
): Setting[] {
  const defaults = new Map(
    shown(configSchema.parse({})).map(([path, value]) => [path, JSON.stringify(value)] as const),
  );
  const [running, read] = [new Map(shown(config)), new Map(shown(next))];
  return [...new Set([...running.keys(), ...read.keys()])].map((path) => {
    const [origin, about, effect] = [origins[path], aboutOf(path), effectOf(path, isOneOfSeveral)];
    const [value, last] = [running.get(path), read.get(path)];
    const isPending = effect === "restart" && JSON.stringify(value) !== JSON.stringify(last);
    return {
      path,
      value: shownValue(value),
      isDefault: defaults.get(path) === JSON.stringify(value),
      effect,
      ...(isPending && { pending: shownValue(last ?? null) }),
      ...(origin && { origin }),
      ...(about !== undefined && { about }),
    };
  });
}

/** The paths of the settings whose values in `next` wait for a restart. */
export const waitingFor = (running: Config, next: Config, isOneOfSeveral: boolean): string[] => [
  ...settingsOf(running, {}, { next, isOneOfSeveral })
    .filter(({ pending }) => pending !== undefined)
    .map(({ path }) => path),
  ...(isOneOfSeveral ? [] : changedAccounts(running, next)),
];

/** The accounts whose keys or terms differ: only a start reads them. */
const changedAccounts = ({ accounts }: Config, next: Config): string[] =>
  Object.keys({ ...accounts, ...next.accounts })
    .filter((name) => JSON.stringify(accounts[name]) !== JSON.stringify(next.accounts[name]))
    .map((name) => `accounts.${name}`);
