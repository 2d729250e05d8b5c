import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Batch } from "@manifold-gateway/store";
import { z } from "zod";
import { accountNamesOf } from "../account/account-names.ts";
import { byOf, note } from "../account/audit.ts";
import { beforeQuery, endOfPage, newestFirst, nextOf } from "../account/newest-first.ts";
import { momentQuery, pageQuery } from "../account/paging.ts";
import { accountQuery, chosenQuery, defined, listQuery } from "../account/usage-filters.ts";
import { cancelAnyBatch, viewsOf } from "../batches/read-batch.ts";
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

async function read({ services }: Deps, id: string): Promise<Batch> {
  const found = await services.store.batches.find(id);
  if (found) return found;
  throw new Refusal("not_found", `There is no batch ${quote(id)}.`);
}

const params = z.object({ batchId: z.string() });

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
    params,
    answer: anyBatch,
    examples: { one: { params: { batchId: "batch" } } },
    uses: ["store"],
    async handler(context, { params: { batchId } }) {
      const [row] = await rowsOf(context, [await read(context, batchId)]);
      return { body: row };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/batches/:batchId",
    access: "operator",
    summary: "Cancel a batch of any account",
    about:
      "No further line is begun. Lines that are running come to their end, and are charged. The audit log has it as `batch_cancelled`.",
    params,
    answer: anyBatch,
    uses: ["addressOf", "batches", "log", "now", "store"],
    async handler(context, { params: { batchId } }) {
      const { services } = context;
      const before = await read(context, batchId);
      const { batch } = await cancelAnyBatch(context, before);
      if (before.endedAt === undefined && before.cancellingAt === undefined) {
        const act = { action: "batch_cancelled", accountId: before.accountId, subject: batchId };
        await services.store.auditLog.add(byOf(context), act);
        note(context, act.action, { account: before.accountId });
      }
      const [row] = await rowsOf(context, [batch]);
      return { body: row };
    },
  }),
];
