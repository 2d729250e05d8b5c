import type { Json } from "@manifold-gateway/core/codec";
import type { z } from "zod";
import { activeModels, findModel, toModelEntry } from "../catalog/model-listing.ts";
import { type PageRequest, pageOf } from "../catalog/model-pages.ts";
import { toSeconds } from "../http/moments.ts";
import type { Model } from "../ports/catalog.ts";
import { defineRoute, type Route } from "../route.ts";

/** An open route by which clients check that the service is there. */
export const probe = defineRoute({
  method: "HEAD",
  path: "",
  access: "open",
  summary: "Connectivity probe",
  examples: { probe: {} },
  handler: () => ({ status: 200 }),
});

/** How a compatibility surface lists models. */
export interface Listing<Query extends z.ZodObject> {
  path: string;
  /** The parameters of a page. */
  query?: Query;
  /** Reads them. Absent: the list is one page. */
  page?(query: z.output<Query>): PageRequest;
  /** The fields that its vendor's SDKs read. */
  native(model: Model): Record<string, Json>;
  wrap(models: Record<string, Json>[], hasMore: boolean): Record<string, Json>;
  one: z.ZodType;
  all: z.ZodType;
}

/** The routes for a compatibility surface's models: the list, and each model. */
export const listing = <Query extends z.ZodObject>({
  path,
  query,
  page = () => ({}),
  native,
  wrap,
  one,
  all,
}: Listing<Query>): Route[] => [
  defineRoute({
    method: "GET",
    path,
    access: "key",
    summary: "List the models",
    ...(query && { query }),
    answer: all,
    examples: { all: {} },
    uses: ["catalog"],
    handler({ services }, { query }) {
      const models = pageOf(activeModels(services.catalog), page(query as z.output<Query>));
      const entries = models.page.map((model) => ({ ...native(model), ...toModelEntry(model) }));
      return { body: wrap(entries, models.hasMore) };
    },
  }),
  defineRoute({
    method: "GET",
    path: `${path}/**:model`,
    access: "key",
    summary: "Get a model",
    answer: one,
    examples: { one: { params: { model: "sim-chat" } } },
    uses: ["catalog"],
    handler: ({ services, params }) => {
      const model = findModel(services.catalog, params.model ?? "");
      return { body: { ...native(model), ...toModelEntry(model) } };
    },
  }),
];

/** The creation time of a model in Unix seconds; 0 if it is unknown. */
export const createdOf = (model: Model): number =>
  model.createdAt === undefined ? 0 : toSeconds(Date.parse(model.createdAt));
