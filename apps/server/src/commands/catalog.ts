import { readFileSync, writeFileSync } from "node:fs";
import { toProviders } from "../config/build.ts";
import { ConfigError, loadConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { type Command, configFile, misused } from "./command.ts";
import { type Listed, listedPrice } from "./prices.ts";

/** One thing that the public list says otherwise than the configuration. */
export interface Change {
  model: string;
  /** Index of the entry. */
  entry: number;
  field: string;
  from: number | undefined;
  to: number;
}

/** What an import would change, in the order of the file. `listed` is asked once for each entry. */
export function changesOf(
  config: Config,
  listed: (model: string, entry: number) => Listed | undefined,
): Change[] {
  const changes: Change[] = [];
  for (const [model, { entries }] of Object.entries(config.models))
    entries.forEach((entry, i) => {
      const found = listed(model, i);
      if (!found) return;
      const add = (field: string, from: unknown, to: number): void => {
        const before = typeof from === "number" ? from : undefined;
        if (before !== to) changes.push({ model, entry: i, field, from: before, to });
      };
      const prices: Record<string, number | undefined> = entry.price ?? {};
      for (const [unit, usd] of Object.entries(found.price)) add(`price.${unit}`, prices[unit], usd);
      const text = (entry.capabilities?.text ?? {}) as { contextWindow?: unknown };
      if (found.contextWindow !== undefined)
        add("capabilities.text.contextWindow", text.contextWindow, found.contextWindow);
    });
  return changes;
}

/** The file's value with the changes made; what the file says beyond them stays, variables unread. */
export function applyChanges(file: unknown, changes: readonly Change[]): unknown {
  const copy = structuredClone(file) as { models: Record<string, { entries: Record<string, unknown>[] }> };
  for (const { model, entry, field, to } of changes) {
    let place = copy.models[model]?.entries[entry] as Record<string, unknown>;
    const keys = field.split(".");
    const last = keys.pop() as string;
    for (const key of keys) {
      place[key] ??= {};
      place = place[key] as Record<string, unknown>;
    }
    place[last] = to;
  }
  return copy;
}

const usage: Command["usage"] = [
  ["diff --config FILE", "show where a public price list differs from the file, without changing it"],
  ["import --config FILE", "take over the prices and limits of the public list"],
];

export const catalog: Command = {
  usage,
  async run(call) {
    const [action] = call.words;
    if (action !== "diff" && action !== "import") throw misused({ usage }, "catalog");
    const file = configFile(call);
    if (file === undefined)
      throw new ConfigError("catalog needs a configuration file; name it with --config");
    const config = loadConfig(file, call.env);
    const providers = toProviders(config);
    const now = new Date();
    const changes = changesOf(config, (model, i) => {
      const entry = config.models[model]?.entries[i];
      const provider = entry && providers.get(entry.provider);
      const preset = entry && config.providers[entry.provider]?.preset;
      const found =
        provider && listedPrice(entry.name, { id: preset ?? provider.id, origin: provider.origin }, now);
      if (!found) call.print(`${model}: the list does not know '${entry?.name}' of '${entry?.provider}'`);
      else if (found.tiered)
        call.print(`${model}: the list has higher prices for long prompts; the lowest is shown`);
      return found;
    });
    for (const { model, entry, field, from, to } of changes)
      call.print(`${model} entries.${entry}.${field}: ${from ?? "none"} → ${to}`);
    if (changes.length === 0) call.print("nothing to change");
    else if (action === "import") {
      const value: unknown = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, `${JSON.stringify(applyChanges(value, changes), null, 2)}\n`);
      call.print(`${file}: ${changes.length} changes written`);
    }
    return 0;
  },
};
