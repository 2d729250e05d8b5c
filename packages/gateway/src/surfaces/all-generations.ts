import { isObject, type JsonObject } from "@manifold-gateway/core/codec";
import type { Generation, GenerationFilter, Store } from "@manifold-gateway/store";
import { z } from "zod";
import { accountNamesOf } from "../account/account-names.ts";
import { toMovement } from "../account/accounts.ts";
import { archivedUntil } from "../account/archived-until.ts";
import { missingGeneration } from "../account/missing-generation.ts";
import { beforeQuery, nextOf } from "../account/newest-first.ts";
import { pageQuery } from "../account/paging.ts";
import { toDetail, toListed, withErrors } from "../account/records.ts";
import { MOST_SORTED, sortQuery, toSorted } from "../account/sorting.ts";
import { totals, totalsOf } from "../account/totals.ts";
import { accountQuery, providerQuery, recordQuery, toFilter, totalsQuery } from "../account/usage-filters.ts";
import { quote } from "../http/refusal.ts";
import type { OperatorContext } from "../ports/context.ts";
import { defineRoute, type Route } from "../route.ts";
import { generationDetail, movements } from "./shapes/account.ts";
import * as shapes from "./shapes/operating.ts";
import { allCountRoute, allExportRoute } from "./usage-export.ts";

const filters = z.object({ ...recordQuery, provider: providerQuery, account: accountQuery });
const query = pageQuery
  .extend({
    ...filters.shape,
    before: beforeQuery,
    sort: sortQuery,
  })
  .refine(({ sort, before }) => sort === undefined || before === undefined, {
    message: "must not be given with 'sort': a sorted list is turned by 'offset'.",
    path: ["before"],
  })
  .refine(({ sort, offset }) => (sort === undefined ? offset === 0 : offset < MOST_SORTED), {
    message: `must be below ${MOST_SORTED}, and be given with 'sort' only.`,
    path: ["offset"],
  });

/** The members of a route that name providers, which only operators see. */
const operatorFields = (generation: Generation): JsonObject => {
  const { route } = generation;
  const { provider, name, attempts, candidates } = (route ?? {}) as JsonObject;
  return {
    ...(provider !== undefined && { provider }),
    ...(name !== undefined && { name }),
    ...(Array.isArray(attempts) && { attempts: withErrors(attempts.filter(isObject), generation) }),
    ...(Array.isArray(candidates) && { candidates: candidates.filter(isObject) }),
  };
};

/** The records before one, newest first. */
async function pageBefore(
  store: Pick<Store, "archive" | "generations">,
  filter: GenerationFilter,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Generation[]> {
  const after = before === undefined ? undefined : await store.generations.find(before);
  if (before !== undefined && !after)
    throw await missingGeneration(store, before, `There is no generation ${quote(before)}.`);
  return store.generations.after(filter, { limit, isWithRequest: false, ...(after && { after }) });
}

/** The generation that a path names. */
async function generationOf({ services, params }: OperatorContext<"store">): Promise<Generation> {
  const { generationId = "" } = params;
  const { store } = services;
  const found = await store.generations.find(generationId);
  if (!found)
    throw await missingGeneration(store, generationId, `There is no generation ${quote(generationId)}.`);
  return found;
}

/** Routes for the records of all accounts, with the names of providers. */
export const allGenerationRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/generations",
    access: "operator",
    summary: "List the generation records of all accounts, newest first",
    about: "Without the texts of requests: `GET /api/admin/generations/{generationId}` returns them.",
    query,
    answer: shapes.generations,
    examples: { page: { query: { limit: "10", account: "acc", modality: "text" } } },
    mayLag: true,
    uses: ["store"],
    async handler({ services: { store } }, { query: { limit, offset, before, sort, account, ...rest } }) {
      const filter = toFilter(rest, account);
      const { results: found, ...since } =
        sort === undefined
          ? { results: await pageBefore(store, filter, { before, limit }) }
          : toSorted(await store.generations.ranked(filter, { by: sort, offset, limit }));
      const names = await accountNamesOf(store, found);
      const results = found.map((one): JsonObject => {
        const { candidates: _c, ...providers } = operatorFields(one);
        return { ...toListed(one), ...providers, ...names.get(one.accountId) };
      });
      const next = sort === undefined ? nextOf(found, limit) : {};
      const archived = await archivedUntil(store, filter);
      return { body: { results, ...since, ...next, ...archived } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/generations/totals",
    access: "operator",
    summary: "Add up the generation records of all accounts that filters let through",
    query: filters.extend({ status: totalsQuery.status, code: totalsQuery.code }),
    answer: totals,
    examples: { failed: { query: { status: "failed", from: "2026-01-01" } } },
    mayLag: true,
    uses: ["now", "store"],
    handler: async ({ services }, { query: { account, ...rest } }) => ({
      body: await totalsOf(services.store, toFilter(rest, account), services.now()),
    }),
  }),
  allCountRoute,
  allExportRoute,
  defineRoute({
    method: "GET",
    path: "/generations/:generationId",
    access: "operator",
    summary: "Get a generation record of any account with all details",
    answer: generationDetail,
    examples: { one: { params: { generationId: "generation" } } },
    uses: ["store"],
    async handler(context) {
      const found = await generationOf(context);
      const movements = await context.services.store.ledger.of(found);
      return { body: { ...toDetail(found), ...operatorFields(found), movements: movements.map(toMovement) } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/generations/:generationId/movements",
    access: "operator",
    summary: "List the movements of credit of a generation of any account, each with the balance after it",
    answer: movements,
    examples: { one: { params: { generationId: "generation" } } },
    uses: ["store"],
    async handler(context) {
      const results = await context.services.store.ledger.withBalances(await generationOf(context));
      return { body: { results: results.map(toMovement) } };
    },
  }),
];
