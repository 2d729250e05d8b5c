import { writeFileSync } from "node:fs";
import type { Provider } from "@manifold-gateway/providers";
import { storedModels } from "../catalog/live-catalog.ts";
import { type Listed, listedModel } from "../catalog/public-list.ts";
import { definedOnly, toList, toModels, toProviders } from "../config/build.ts";
import { differencesOf } from "../config/differences.ts";
import { readDocument } from "../config/document.ts";
import { parseDocument } from "../config/load.ts";
import { configFile } from "../config/locate.ts";
import { ConfigError } from "../config/read.ts";
import type { Config } from "../config/schema.ts";
import type { Call, Run } from "./call.ts";
import { changesOf, describeChange, toValue } from "./changes.ts";
import { byCommand, withStore } from "./command.ts";
import { showAll } from "./show.ts";

/** Compares the public lists with the file, and prints or writes the differences. */
const compare = async (call: Call, isWritten: boolean): Promise<number> => {
  const file = configFile(call);
  if (file === undefined) throw new ConfigError("catalog needs a configuration file; name it with --config");
  const document = readDocument(file);
  const config = parseDocument(document, call.env, file);
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
  else if (isWritten) {
    writeFileSync(file, document.withValues(changes.map(toValue)));
    call.print(`${file}: ${changes.length} changes written`);
  }
  return 0;
};

const COLUMNS = ["model", "entry", "what", "field", "before", "after"];

/** Stores the file's models. Running servers check the store for changes every few seconds. */
const apply = (call: Call): Promise<number> =>
  withStore(call, async (store, _, { config }) => {
    const models = toModels(config);
    if (call.options.dryRun) {
      const named = new Set(models.map(({ id }) => id));
      const stored = (await storedModels(store)).filter(({ id }) => named.has(id));
      await showAll(
        call,
        COLUMNS,
        differencesOf(stored, models).map((change) => ({ ...change })),
      );
      return 0;
    }
    const changed = await store.catalog.upsert(models, Date.now(), byCommand());
    call.print(changed.length === 0 ? "nothing to change" : `changed: ${changed.join(", ")}`);
    return 0;
  });

const setActive = (call: Call, isActive: boolean): Promise<number> =>
  withStore(call, async (store) => {
    const [id = ""] = call.words;
    const stored = (await store.catalog.list()).find((model) => model.id === id);
    if (!stored) throw new ConfigError(`there is no model '${id}'`);
    const { createdAt: _, updatedAt: _u, ...content } = stored;
    // The revision is not compared, so any number will do.
    const model = { ...content, revision: 1, isActive };
    const changed = await store.catalog.upsert([model], Date.now(), byCommand());
    call.print(changed.length === 0 ? "nothing to change" : `${id} is ${isActive ? "active" : "not active"}`);
    return 0;
  });

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
    // The lists know a provider by its preset, whatever its name in the file.
    { ...provider, id: config.providers[entry.provider]?.preset ?? provider.id },
    at,
  );
}

export const catalog = {
  diff: (call) => compare(call, false),
  import: (call) => compare(call, true),
  apply,
  activate: (call) => setActive(call, true),
  deactivate: (call) => setActive(call, false),
} satisfies Record<string, Run>;
