import type { RefusalCount, RefusedRequest } from "@manifold-gateway/store";
import { z } from "zod";
import { accountNamesOf } from "../account/account-names.ts";
import { beforeQuery, newestFirst, nextOf } from "../account/newest-first.ts";
import { momentQuery, pageQuery } from "../account/paging.ts";
import { defined, listQuery } from "../account/usage-filters.ts";
import { DAY, momentOf } from "../http/moments.ts";
import { defineRoute } from "../route.ts";

const word = z.string().min(1).max(256).optional();

const narrowing = {
  key: listQuery().describe("The id of an API key, or several with commas between them."),
  code: word.describe("The code of the refusal, such as `model_not_found`."),
  from: momentQuery,
  to: momentQuery,
};
const refusedQuery = pageQuery.pick({ limit: true }).extend({
  ...narrowing,
  request: word.describe("The `x-request-id` of the answer."),
  batch: word.describe("The id of a batch: its lines."),
  model: listQuery().describe("The model as requests named it, or several with commas between them."),
  surface: word.describe("The surface that requests came by: `chatstyle`."),
  before: beforeQuery,
});
const countQuery = z.object(narrowing);
const account = word.describe("The id of an account.");

const refused = z
  .object({
    id: z.string(),
    requestId: z.string(),
    userId: z.string(),
    apiKeyId: z.string().optional(),
    code: z.string(),
    status: z.int(),
    message: z.string().optional().describe("The sentence of the answer; not with `records.requests: none`."),
    surface: z.string(),
    model: z.string().optional().describe("As the request named it, if that was read."),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "RefusedRequest" });
const anyRefused = refused
  .extend({ accountName: z.string().optional().describe("The name of the account `userId`.") })
  .meta({ id: "AnyRefusedRequest" });
const counts = z.object({
  results: z.array(
    z.object({
      hour: z.iso.datetime(),
      apiKeyId: z.string().optional(),
      code: z.string(),
      count: z.int(),
    }),
  ),
});

const toShown = ({ id, accountId, keyId, at, request, sentence, ...rest }: RefusedRequest) => ({
  ...{ id, requestId: request, userId: accountId },
  ...(keyId !== undefined && { apiKeyId: keyId }),
  ...(sentence !== undefined && { message: sentence }),
  ...rest,
  createdAt: momentOf(at),
});
const toPage = (matches: readonly RefusedRequest[], limit: number) => ({
  results: matches.map(toShown),
  ...nextOf(matches, limit),
});
const toCounts = (rows: readonly RefusalCount[]) => ({
  results: rows.map(({ hour, keyId, code, count }) => ({
    hour: momentOf(hour),
    ...(keyId !== undefined && { apiKeyId: keyId }),
    ...{ code, count },
  })),
});
const withDay = ({ from, to }: { from?: number | undefined; to?: number | undefined }, now: number) => ({
  from: from ?? (to ?? now) - DAY,
  ...(to !== undefined && { to }),
});

const ABOUT =
  "Requests with a key, and requests for models, that were answered with an error before there was a generation: an unknown model, an invalid body, a cap, a rate. The last thousand of an account are kept.";

/** The refused requests of an account. */
export const refusalRoutes = [
  defineRoute({
    method: "GET",
    path: "/refusals",
    access: "caller",
    summary: "List the refused requests of the account, newest first",
    about: ABOUT,
    query: refusedQuery,
    answer: newestFirst(refused, "requests"),
    examples: { "of a code": { query: { code: "model_not_found", limit: "10" } } },
    mayLag: true,
    uses: ["store"],
    async handler({ services, caller }, { query: { limit, before, key, ...rest } }) {
      const filter = defined({ ...rest, keyId: key, accountId: caller.accountId });
      const found = await services.store.refusals.list(filter, { limit, ...(before && { before }) });
      return { body: toPage(found, limit) };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/refusals/counts",
    access: "caller",
    summary: "Count the refused requests of the account by hour, key and code",
    about:
      "Of the last 24 hours without `from`. All refused requests are counted, also those that are no longer listed.",
    query: countQuery,
    answer: counts,
    examples: { "of a day": { query: { from: "2026-01-01", to: "2026-01-02" } } },
    mayLag: true,
    uses: ["now", "store"],
    async handler({ services, caller }, { query: { key, code, ...range } }) {
      const filter = defined({
        keyId: key,
        code,
        accountId: caller.accountId,
        ...withDay(range, services.now()),
      });
      return { body: toCounts(await services.store.refusals.counts(filter)) };
    },
  }),
];

/** The refused requests of all accounts. */
export const allRefusalRoutes = [
  defineRoute({
    method: "GET",
    path: "/refusals",
    access: "operator",
    summary: "List the refused requests of all accounts, newest first",
    about: ABOUT,
    query: refusedQuery.extend({ account }),
    answer: newestFirst(anyRefused, "requests"),
    examples: { "of an account": { query: { account: "acc", limit: "10" } } },
    mayLag: true,
    uses: ["store"],
    async handler({ services }, { query: { limit, before, key, account, ...rest } }) {
      const filter = defined({ ...rest, keyId: key, accountId: account });
      const found = await services.store.refusals.list(filter, { limit, ...(before && { before }) });
      const names = await accountNamesOf(services.store, found);
      const { results, ...more } = toPage(found, limit);
      const named = results.map((one) => ({ ...one, ...names.get(one.userId) }));
      return { body: { results: named, ...more } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/refusals/counts",
    access: "operator",
    summary: "Count the refused requests of all accounts by hour, key and code",
    about: "Of the last 24 hours without `from`.",
    query: countQuery.extend({ account }),
    answer: counts,
    examples: { "of an account": { query: { account: "acc" } } },
    mayLag: true,
    uses: ["now", "store"],
    async handler({ services }, { query: { key, code, account, ...range } }) {
      const filter = defined({ keyId: key, code, accountId: account, ...withDay(range, services.now()) });
      return { body: toCounts(await services.store.refusals.counts(filter)) };
    },
  }),
];
