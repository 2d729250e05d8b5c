import type { Setting } from "@manifold-gateway/gateway";
import { z } from "zod";
import { flatten } from "./flatten.ts";
import type { Origins } from "./origins.ts";
import { withoutSecrets } from "./recorded.ts";
import { type Config, configSchema } from "./schema.ts";

/** Models and accounts have screens and routes of their own. */
const shown = ({ $schema: _, models: _m, accounts: _a, ...sections }: Config): [string, unknown][] =>
  flatten(withoutSecrets(sections));

/** A secret stands there by the beginning of its hash. */
function said(value: unknown): Setting["value"] {
  if (Array.isArray(value)) return value.map(said);
  return typeof value === "string"
    ? value.replace(/^secret (?=[0-9a-f]{6}$)/, "set, sha256 ")
    : (value as Setting["value"]);
}

type Described = { description?: string; properties?: Record<string, Described> } & {
  additionalProperties?: Described | boolean;
};

/** What the schema says of the setting at a path. */
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

/** The settings in force, each with whether it is what it would be if nobody had said anything, and who said it. */
export function settingsOf(config: Config, origins: Origins = {}): Setting[] {
  const defaults = new Map(
    shown(configSchema.parse({})).map(([path, value]) => [path, JSON.stringify(value)] as const),
  );
  return shown(config).map(([path, value]) => {
    const [origin, about] = [origins[path], aboutOf(path)];
    return {
      path,
      value: said(value),
      isDefault: defaults.get(path) === JSON.stringify(value),
      ...(origin && { origin }),
      ...(about !== undefined && { about }),
    };
  });
}
