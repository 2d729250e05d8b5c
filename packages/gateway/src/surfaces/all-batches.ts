import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Batch } from "@manifold-gateway/store";
import { z } from "zod";
import { accountNamesOf } from "../account/account-names.ts";
import { beforeQuery, endOfPage, newestFirst, nextOf } from "../account/newest-first.ts";
import { momentQuery, pageQuery } from "../account/paging.ts";
import { accountQuery, chosenQuery, defined, listQuery } from "../account/usage-filters.ts";
import { viewsOf } from "../batches/read-batch.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { OperatorContext } from "../ports/context.ts";
import { defineRoute, type Route } from "../route.ts";
import { toListedBatch } from "./account-batches.ts";
import { STATES } from "./batches.ts";
import { anyBatch, batchObject } from "./shapes/batches.ts";

type Status = keyof typeof STATES;

const statuses = batchObject.shape.status.options;
const query = pageQuery.pick({ limit: true }).extend({
  account: accountQuery,
  key: chosenQuery.key,
  status: listQuery<Status>(statuses).describe(`${statuses.join(", ")}; several with commas between them.`),
  surface: chosenQuery.surface,
  from: momentQuery,
  to: momentQuery,
  before: beforeQuery,
});

type Deps = Pick<OperatorContext<"store">, "services">;

const rowsOf = async (context: Deps, batches: readonly Batch[]): Promise<JsonObject[]> => {
  const names = await accountNamesOf(context.services.store, batches);
  const views = await viewsOf(context, batches);
  return views.map((view): JsonObject => {
    const { accountId } = view.batch;
    return { ...toListedBatch(view), userId: accountId, ...names.get(accountId) };
  });
};

/** Routes for the batches of all accounts and surfaces. */
export const allBatchRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/batches",
    access: "operator",
    summary: "List the batches of all accounts, newest first",
    query,
    answer: newestFirst(anyBatch, "batches"),
    examples: { "of an account": { query: { account: "acc", status: "in_progress", limit: "10" } } },
    mayLag: true,
    uses: ["store"],
    async handler(context, { query: { limit, before, account, key, status, ...rest } }) {
      const { batches } = context.services.store;
      const after = await endOfPage({ id: before, param: "before", noun: "batch" }, batches.find);
      const state = status && [status].flat().map((one) => STATES[one]);
      const filter = defined({ ...rest, accountId: account, keyId: key, state });
      const page = await batches.list(filter, { limit, after });
      return { body: { results: await rowsOf(context, page), ...nextOf(page, limit) } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/batches/:batchId",
    access: "operator",
    summary: "Get a batch of any account",
    params: z.object({ batchId: z.string() }),
    answer: anyBatch,
    examples: { one: { params: { batchId: "batch" } } },
    uses: ["store"],
    async handler(context, { params: { batchId } }) {
      const found = await context.services.store.batches.find(batchId);
      const [row] = found ? await rowsOf(context, [found]) : [];
      if (!row) throw new Refusal("not_found", `There is no batch ${quote(batchId)}.`);
      return { body: row };
    },
  }),
];
