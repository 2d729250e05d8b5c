import { writeFileSync } from "node:fs";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { DeclarationRequest } from "@manifold-gateway/gateway";
import type { Provider } from "@manifold-gateway/providers";
import type { Declaration } from "@manifold-gateway/store";
import { type Listed, listedModel } from "../catalog/public-list.ts";
import { definedOnly, toList, toProviders } from "../config/build.ts";
import { isConfigured, mergeDeclarations } from "../config/declarations.ts";
import { readDocument } from "../config/document.ts";
import { savedSecrets } from "../config/embedded.ts";
import type { Settings } from "../config/load.ts";
import { configFile } from "../config/locate.ts";
import { ConfigError } from "../config/read.ts";
import type { Config } from "../config/schema.ts";
import { storeUrl } from "../config/store.ts";
import type { Call, Run } from "./call.ts";
import { type Change, changesOf, describeChange, toValue } from "./changes.ts";
import { findSettings, storedDeclarations } from "./command.ts";
import { withEditor } from "./declarations.ts";

/** Compares the public lists with the configured and declared models, and prints or writes the differences. */
const compare = async (call: Call, isWritten: boolean): Promise<number> => {
  const file = configFile(call);
  const base = findSettings(call, savedSecrets);
  const stored = await storedDeclarations(storeUrl(base.config.store));
  if (file === undefined && stored.length === 0)
    throw new ConfigError(
      "catalog needs a configuration file, or models in the database; name a file with --config",
    );
  const config = comparedModels(base, stored);
  const providers = toProviders(config);
  const now = new Date();
  const changes = changesOf(config, (model, i) => {
    const found = ask(config, providers, model, i, now);
    const entry = config.models[model]?.entries[i];
    if (!found) call.print(`${model}: the list does not know '${entry?.name}' of '${entry?.provider}'`);
    if (found?.tiered)
      call.print(`${model}: the list has higher prices for long prompts; the lowest is shown`);
    if (found?.retired)
      call.print(`${model}: the list says that '${entry?.provider}' no longer serves '${entry?.name}'`);
    return found;
  });
  for (const change of changes) call.print(describeChange(change));
  if (changes.length === 0) call.print("nothing to change");
  else if (isWritten) await write(call, base, stored, changes);
  return 0;
};

/** The configuration with declarations. Models that are built in are left out, since no operator can change them. */
function comparedModels(base: Settings, stored: readonly Declaration[]): Config {
  const { config } = mergeDeclarations(base, stored).settings;
  if (base.source?.file !== undefined) return config;
  const models = Object.entries(config.models).filter(
    ([name]) => !isConfigured(base, { section: "models", name }),
  );
  return { ...config, models: Object.fromEntries(models) };
}

/** Writes changes into the file, and makes those of declared models in the database. */
async function write(
  call: Call,
  base: Settings,
  stored: readonly Declaration[],
  changes: readonly Change[],
): Promise<void> {
  const isOfFile = ({ model }: Change): boolean => isConfigured(base, { section: "models", name: model });
  const ofFile = changes.filter(isOfFile);
  const file = base.source?.file;
  if (file !== undefined && ofFile.length > 0) {
    writeFileSync(file, readDocument(file).withValues(ofFile.map(toValue)));
    call.print(`${file}: ${ofFile.length} changes written`);
  }
  const declared = changes.filter((change) => !isOfFile(change));
  if (declared.length === 0) return;
  const requests = stored.flatMap(({ section, name, value, revision }): DeclarationRequest[] => {
    const ofModel = declared.filter(({ model }) => section === "models" && model === name);
    if (ofModel.length === 0) return [];
    const document = { models: { [name]: structuredClone(value) } };
    for (const [path, to] of ofModel.map(toValue)) setAt(document, path, to);
    return [{ section: "models", name, value: document.models[name] as JsonObject, revision }];
  });
  await withEditor(call, async (editor, terms) => {
    const outcome = await editor.change(requests, terms);
    if ("refusal" in outcome) throw new ConfigError(outcome.errors.join("\n"));
    call.print(`database: ${declared.length} changes made`);
    return 0;
  });
}

/** Sets a member of a value; the parts of its path that are missing become objects. */
function setAt(value: object, [name = "", ...rest]: readonly (string | number)[], to: unknown): void {
  const of = value as Record<string | number, unknown>;
  if (rest.length === 0) of[name] = to;
  else {
    of[name] ??= {};
    setAt(of[name] as object, rest, to);
  }
}

function ask(
  config: Config,
  providers: ReadonlyMap<string, Provider>,
  model: string,
  i: number,
  at: Date,
): Listed | undefined {
  const entry = config.models[model]?.entries[i];
  const provider = entry && providers.get(entry.provider);
  if (!provider) return undefined;
  const { name, protocol, traits } = entry;
  return listedModel(
    {
      name,
      ...(protocol && { protocols: toList(protocol) }),
      ...(traits && { traits: definedOnly(traits) }),
    },
    // The lists have providers under the names of presets, which may differ from those in the file.
    { ...provider, id: config.providers[entry.provider]?.preset ?? provider.id },
    at,
  );
}

/** The commands of `catalog` that compare models with public lists. */
export const catalogLists = {
  diff: (call) => compare(call, false),
  import: (call) => compare(call, true),
} satisfies Record<string, Run>;
