import { isObject, type JsonObject } from "@manifold-gateway/core/codec";
import { type Generation, MODALITIES, OUTCOMES } from "@manifold-gateway/store";
import { z } from "zod";
import { toMovement } from "../account/accounts.ts";
import { momentQuery, pageQuery } from "../account/paging.ts";
import { toDetail, toRecord, withErrors } from "../account/records.ts";
import { placeQuery } from "../account/usage-filters.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { labelQuery } from "../http/tags.ts";
import { defineRoute, type Route } from "../route.ts";
import { generationDetail } from "./shapes/account.ts";
import * as shapes from "./shapes/operating.ts";

const id = z.string().min(1).max(128);
const query = pageQuery.pick({ limit: true }).extend({
  before: id.optional().describe("The `next` of the previous page."),
  account: z.string().max(256).optional().describe("The id of an account."),
  modality: z.enum(MODALITIES).optional(),
  status: z.enum(OUTCOMES).optional(),
  model: z.string().max(256).optional(),
  ...placeQuery,
  ...labelQuery,
  from: momentQuery,
  to: momentQuery,
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
    uses: ["store"],
    async handler({ services }, { query: { limit, before, account, tag, ...filter } }) {
      const defined = Object.entries({ ...filter, tags: tag }).filter(([, value]) => value !== undefined);
      const chosen = Object.fromEntries(defined);
      const found = await services.store.generations.recent(
        { ...chosen, ...(account !== undefined && { accountId: account }) },
        { limit, ...(before !== undefined && { before }) },
      );
      const results = found.map((one): JsonObject => {
        const { request: _, requestKept: _k, ...record } = toRecord(one);
        const { candidates: _c, ...names } = operatorFields(one);
        return { ...record, ...names };
      });
      const last = found.length === limit ? found.at(-1)?.id : undefined;
      return { body: { results, ...(last !== undefined && { next: last }) } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/generations/:generationId",
    access: "operator",
    summary: "Get a generation record of any account with all details",
    answer: generationDetail,
    examples: { one: { params: { generationId: "generation" } } },
    uses: ["store"],
    async handler({ services, params }) {
      const found = await services.store.generations.find(params.generationId ?? "");
      if (!found)
        throw new Refusal(
          "generation_not_found",
          `There is no generation ${quote(params.generationId ?? "")}.`,
        );
      const movements = await services.store.ledger.of(found);
      return { body: { ...toDetail(found), ...operatorFields(found), movements: movements.map(toMovement) } };
    },
  }),
];
