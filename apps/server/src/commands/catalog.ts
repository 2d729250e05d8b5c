import { storedModels } from "../catalog/live-catalog.ts";
import { toModels } from "../config/build.ts";
import { differencesOf } from "../config/differences.ts";
import { ConfigError } from "../config/read.ts";
import type { Call, Run } from "./call.ts";
import { byCommand, withStore } from "./command.ts";
import { showAll } from "./show.ts";

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

export const catalog = {
  apply,
  activate: (call) => setActive(call, true),
  deactivate: (call) => setActive(call, false),
} satisfies Record<string, Run>;
