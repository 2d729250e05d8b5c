import type { Setting } from "@manifold-gateway/gateway";
import { withoutSecrets } from "./recorded.ts";
import { type Config, configSchema } from "./schema.ts";

/** Members that a person reads one by one; lists and empty objects are values. */
function flatten(value: unknown, path: string): [path: string, value: unknown][] {
  const members =
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.entries(value);
  if (!members || members.length === 0) return value === undefined ? [] : [[path, value]];
  return members.flatMap(([name, item]) => flatten(item, path === "" ? name : `${path}.${name}`));
}

/** Models and accounts have screens and routes of their own. */
const shown = ({ $schema: _, models: _m, accounts: _a, ...sections }: Config): [string, unknown][] =>
  flatten(withoutSecrets(sections), "");

/** A secret stands there by the beginning of its hash. */
function said(value: unknown): Setting["value"] {
  if (Array.isArray(value)) return value.map(said);
  return typeof value === "string"
    ? value.replace(/^secret (?=[0-9a-f]{6}$)/, "set, sha256 ")
    : (value as Setting["value"]);
}

/** The settings in force, each with whether it is what it would be if nobody had said anything. */
export function settingsOf(config: Config): Setting[] {
  const defaults = new Map(
    shown(configSchema.parse({})).map(([path, value]) => [path, JSON.stringify(value)] as const),
  );
  return shown(config).map(([path, value]) => ({
    path,
    value: said(value),
    isDefault: defaults.get(path) === JSON.stringify(value),
  }));
}
