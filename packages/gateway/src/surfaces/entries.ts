import type { By } from "@manifold-gateway/store";
import { z } from "zod";
import { byOf } from "../account/audit.ts";
import { tryProvider } from "../catalog/try-provider.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { Model } from "../ports/catalog.ts";
import type { RequestContext } from "../ports/context.ts";
import { defineRoute, type Route } from "../route.ts";
import { allEntries, type CatalogEntry, toEntryState, toState } from "../routing/entry-state.ts";
import * as shapes from "./shapes/operating.ts";

/** The most names in the result of a provider's test. */
const MOST = 500;

const change = z.strictObject({ isActive: z.boolean() });

/** The entry that the path names. */
function findEntry({ services, params }: RequestContext<"wholeCatalog">): CatalogEntry {
  const found = allEntries(services).find(({ id }) => id === params.entryId);
  if (!found)
    throw new Refusal("entry_not_found", `No model has an entry ${quote(params.entryId ?? "")}.`, {
      param: "entryId",
    });
  return found;
}

const stateOf = (context: RequestContext<"routing">, catalogEntry: CatalogEntry) =>
  toEntryState(
    catalogEntry,
    context.services.routing.breakers.all().get(catalogEntry.id),
    context.services.routing.learnt?.all(),
  );

/** Stores a changed model, and serves it at once. */
async function storeModel(
  { services: { store, wholeCatalog } }: RequestContext<"store" | "wholeCatalog">,
  model: Model,
  by: By,
): Promise<void> {
  const { createdAt: _, updatedAt: _u, isLoaded: _l, ...content } = model;
  // The store counts revisions itself, so each model is passed with the first.
  const stored: Model = { ...content, revision: 1 };
  await store.catalog.upsert([stored], by.at, by);
  wholeCatalog.replace(wholeCatalog.list().map((one) => (one.id === model.id ? model : one)));
}

const entryId = { entryId: "e3634cb84d2" };

/** Routes by which operators see and control providers and entries. */
export const operatingRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/state",
    access: "operator",
    quiet: true,
    summary: "Get the state of providers and model entries",
    about: "Circuits, speeds and loads are those of the process that serves the request; `process` names it.",
    answer: shapes.state,
    examples: { all: {} },
    uses: ["now", "providers", "routing", "store", "wholeCatalog"],
    handler: ({ services }) => ({ body: toState(services) }),
  }),
  defineRoute({
    method: "POST",
    path: "/circuits/:entryId/reset",
    access: "operator",
    summary: "Close the circuits of a model entry and end its pause",
    about: "In the process that serves the request. The next requests show whether the entry works.",
    answer: shapes.entryState,
    examples: { closed: { params: entryId } },
    uses: ["addressOf", "now", "routing", "store", "wholeCatalog"],
    async handler(context) {
      const { services } = context;
      const placed = findEntry(context);
      const before = stateOf(context, placed);
      services.routing.breakers.reset(placed.id);
      const after = stateOf(context, placed);
      await services.store.auditLog.add(byOf(context), {
        action: "circuit_reset",
        subject: placed.id,
        before,
        after,
      });
      return { body: after };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/entries/:entryId",
    access: "operator",
    summary: "Pause or resume a model entry",
    about:
      "Stored with the model and applied by every process within seconds. The next start or reload of the configuration overwrites it.",
    body: change,
    answer: shapes.entryState,
    examples: { pause: { params: entryId, body: { isActive: false } } },
    uses: ["addressOf", "log", "now", "routing", "store", "wholeCatalog"],
    async handler(context, { body: { isActive } }) {
      const { services } = context;
      const placed = findEntry(context);
      if (placed.entry.isActive === isActive) return { body: stateOf(context, placed) };
      const entry = { ...placed.entry, isActive };
      const entries = placed.model.entries.map((one) => (one === placed.entry ? entry : one));
      const model = { ...placed.model, entries };
      const by = byOf(context);
      await storeModel(context, model, by);
      services.log.info({ request: context.id, actor: by.actor, entry: placed.id, isActive }, "audit");
      return { body: stateOf(context, { ...placed, model, entry }) };
    },
  }),
  defineRoute({
    method: "PATCH",
    path: "/models/**:modelId",
    access: "operator",
    summary: "Stop a model, or serve it again",
    about:
      "Stored with the model and applied by every process within a second. The next start or reload of the configuration overwrites it; a declared model is stopped for good by `active` of its declaration.",
    body: change,
    answer: z.object({ model: z.string(), isActive: z.boolean() }),
    examples: { stop: { params: { modelId: "sim-chat" }, body: { isActive: false } } },
    uses: ["addressOf", "log", "now", "store", "wholeCatalog"],
    async handler(context, { body: { isActive } }) {
      const { services, params } = context;
      const model = services.wholeCatalog.list().find(({ id }) => id === params.modelId);
      if (!model)
        throw new Refusal("model_not_found", `There is no model ${quote(params.modelId ?? "")}.`, {
          param: "modelId",
          status: 404,
        });
      const by = byOf(context);
      if (model.isActive !== isActive) await storeModel(context, { ...model, isActive }, by);
      services.log.info({ request: context.id, actor: by.actor, model: model.id, isActive }, "audit");
      return { body: { model: model.id, isActive } };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/providers/:providerId/test",
    access: "operator",
    summary: "List the models of a provider, with its key",
    about: "Free: it lists models, and generates nothing. The response contains any failure.",
    answer: shapes.providerTest,
    examples: { listed: { params: { providerId: "chatstyle" } } },
    uses: ["providers", "transport"],
    async handler(context) {
      const { services, params } = context;
      const provider = services.providers.get(params.providerId ?? "");
      if (!provider)
        throw new Refusal("provider_not_found", `There is no provider ${quote(params.providerId ?? "")}.`, {
          param: "providerId",
        });
      const { verdict, finding, todo, ms, models } = await tryProvider(provider, services.transport);
      const names = models.slice(0, MOST).map(({ name }) => name);
      if (verdict === "listed" || verdict === "untried")
        return { body: { isReached: true, ms, models: names } };
      return { body: { isReached: false, ms, models: [], error: todo ? `${finding} ${todo}` : finding } };
    },
  }),
];
