import type { JsonObject } from "@manifold-gateway/core/codec";
import { type Account, type Accounts, toUsd } from "@manifold-gateway/store";
import { z } from "zod";
import { operatorOf } from "../access/authenticate.ts";
import { columnsOf, fileNameOf, formatQuery, pagesOf } from "../account/export.ts";
import { sendExport } from "../account/send-export.ts";
import { keyNamesOf } from "../account/series-names.ts";
import { accountQuery, defined, providerQuery, recordQuery, toFilter } from "../account/usage-filters.ts";
import { writeTags } from "../http/tags.ts";
import type { Services } from "../ports/services.ts";
import { defineRoute } from "../route.ts";

const filters = z.object(recordQuery);
const allFilters = filters.extend({ account: accountQuery, provider: providerQuery });
const total = z.object({ total: z.int() });
const exportTypes = {
  "text/csv": z.string().describe("With a header line."),
  "application/jsonl": z.string().describe("One record a line, as lists show it."),
};
const exportExamples = {
  "a month": { query: { from: "2026-01-01", to: "2026-02-01" } },
  "failed ones": { query: { status: "failed", format: "jsonl" } },
};

/** Counts the records that an export would have. */
export const usageCountRoute = defineRoute({
  method: "GET",
  path: "/usage/count",
  access: "caller",
  summary: "Count the generation records of the account",
  query: filters,
  answer: total,
  examples: { all: { answer: { total: 1_680 } }, failed: { query: { status: "failed" } } },
  mayLag: true,
  uses: ["store"],
  handler: async ({ services, caller }, { query }) => ({
    body: { total: await services.store.generations.count(toFilter(query, caller.accountId)) },
  }),
});

/** Exports all records that match a filter as a file. */
export const usageExportRoute = defineRoute({
  method: "GET",
  path: "/usage/export",
  access: "caller",
  summary: "Export the generation records of the account as a file",
  about:
    "All records that the filters let through, newest first, without the requests, and with the names of keys; for an operator's session or credential beside the caller's also with the provider. The file is written while it is read. An export that cannot be finished breaks off the connection, so that no part passes for the whole. Its header `x-archived-until` is absent unless the range has records that are archived: the file has none from before.",
  query: filters.extend({ format: formatQuery }),
  also: exportTypes,
  examples: exportExamples,
  uses: ["access", "stopping", "store"],
  async handler(context, { query: { format, ...query } }) {
    const { exchange, services, caller } = context;
    const keyNames = await keyNamesOf(services, caller.accountId);
    const isForOperator = (await operatorOf(exchange, services.access)) !== undefined;
    const name = fileNameOf(namesOf(query, keyNames), query, format);
    const filter = toFilter(query, caller.accountId);
    const file = { format, name, columns: columnsOf({ isForOperator }), from: filter.from };
    const pages = pagesOf(services.store.generations, filter, { keyNames, isForOperator });
    return sendExport(context, file, pages);
  },
});

/** Counts the records that an export of all accounts would have. */
export const allCountRoute = defineRoute({
  method: "GET",
  path: "/generations/count",
  access: "operator",
  summary: "Count the generation records of all accounts",
  query: allFilters,
  answer: total,
  examples: { failed: { query: { status: "failed", account: "acc" } } },
  mayLag: true,
  uses: ["store"],
  handler: async ({ services }, { query: { account, ...query } }) => ({
    body: { total: await services.store.generations.count(toFilter(query, account)) },
  }),
});

/** Exports all records of all accounts that match a filter as a file. */
export const allExportRoute = defineRoute({
  method: "GET",
  path: "/generations/export",
  access: "operator",
  summary: "Export the generation records of all accounts as a file",
  about:
    "As `GET /api/compat/v1/usage/export`, with the account of each record and its provider: one account after the other, each newest first.",
  query: allFilters.extend({ format: formatQuery }),
  also: exportTypes,
  examples: exportExamples,
  uses: ["stopping", "store"],
  async handler(context, { query: { format, account, ...query } }) {
    const name = fileNameOf({ of: account ?? "all", ...namesOf(query) }, query, format);
    const { from } = toFilter(query, account);
    const file = { format, name, columns: columnsOf({ isForOperator: true, isOfAll: true }), from };
    return sendExport(context, file, pagesOfAll(context.services, query, account));
  },
});

/** The records of all accounts, or of one of them, a page at a time. */
async function* pagesOfAll(
  services: Pick<Services, "store">,
  query: z.output<typeof filters>,
  account: string | undefined,
): AsyncGenerator<JsonObject[]> {
  const { accounts, generations } = services.store;
  for await (const { id, name: accountName } of accountsOf(accounts, account)) {
    const facts = { keyNames: await keyNamesOf(services, id), accountName, isForOperator: true };
    yield* pagesOf(generations, toFilter(query, id), facts);
  }
}

/** Accounts in one query. */
const ACCOUNTS = 100;

async function* accountsOf(
  accounts: Pick<Accounts, "get" | "list">,
  id: string | undefined,
): AsyncGenerator<Account> {
  if (id !== undefined) {
    const one = await accounts.get(id);
    if (one) yield one;
    return;
  }
  for (let offset = 0; ; offset += ACCOUNTS) {
    const { results } = await accounts.list({ offset, limit: ACCOUNTS });
    yield* results;
    if (results.length < ACCOUNTS) return;
  }
}

/** The filters of a query as the name of a file has them. */
function namesOf(
  { from: _, to: _to, tag, key = [], minCost, ...rest }: z.output<typeof filters>,
  keyNames: ReadonlyMap<string, string> = new Map(),
): Record<string, string> {
  const keys = [key].flat().map((id) => keyNames.get(id) ?? id);
  const named = defined({
    ...rest,
    tag: tag && writeTags(tag),
    key: keys.length > 0 ? keys.join("-") : undefined,
    minCost: minCost && toUsd(minCost),
  });
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, String(value)]));
}
