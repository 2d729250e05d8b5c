import { toUsd } from "@manifold-gateway/store";
import { z } from "zod";
import { operatorOf } from "../access/authenticate.ts";
import { FORMS, fileNameOf, pagesOf, toExported } from "../account/export.ts";
import { keyNamesOf } from "../account/series-names.ts";
import { defined, recordQuery, toFilter } from "../account/usage-filters.ts";
import { Refusal } from "../http/refusal.ts";
import { writeTags } from "../http/tags.ts";
import { defineRoute } from "../route.ts";

const filters = z.object(recordQuery);

/** Counts the records that an export would have. */
export const usageCountRoute = defineRoute({
  method: "GET",
  path: "/usage/count",
  access: "caller",
  summary: "Count the generation records of the account",
  query: filters,
  answer: z.object({ total: z.int() }),
  examples: { all: { answer: { total: 1_680 } }, failed: { query: { status: "failed" } } },
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
    "All records that the filters let through, newest first, without the requests, and with the names of keys; for an operator's session or credential beside the caller's also with the provider. The file is written while it is read. An export that cannot be finished breaks off the connection, so that no part passes for the whole.",
  query: filters.extend({ format: z.enum(Object.keys(FORMS) as [keyof typeof FORMS]).default("csv") }),
  also: {
    "text/csv": z.string().describe("With a header line."),
    "application/jsonl": z.string().describe("One record a line, as `GET /usage` lists them."),
  },
  examples: {
    "a month": { query: { from: "2026-01-01", to: "2026-02-01" } },
    "failed ones": { query: { status: "failed", format: "jsonl" } },
  },
  uses: ["access", "stopping", "store"],
  async handler(context, { query: { format, ...query } }) {
    const { exchange, services, caller } = context;
    const { sink } = exchange;
    const names = await keyNamesOf(services, caller.accountId);
    const known = {
      keyNames: names,
      isForOperator: (await operatorOf(exchange, services.access)) !== undefined,
    };
    const form = FORMS[format];
    const { from, to } = query;
    const pages = pagesOf(services.store.generations, toFilter(query, caller.accountId));
    // Read before the head is sent: if the database cannot be reached, a refusal can still be sent.
    const first = await pages.next();
    sink.head(200, {
      "content-type": form.type,
      "content-disposition": `attachment; filename="${fileNameOf(namesOf(query, names), { from, to }, format)}"`,
    });
    await sink.write(form.head(known));
    for (let page = first; !page.done && !sink.closed; page = await pages.next()) {
      if (services.stopping()) throw new Refusal("shutting_down", "The service is shutting down.");
      const records = page.value.map((one) => toExported(one, known));
      await sink.write(form.rows(records, known));
    }
    sink.end();
    return undefined;
  },
});

/** The filters of a query as the name of a file has them. */
function namesOf(
  { from: _, to: _to, tag, key = [], minCost, ...rest }: z.output<typeof filters>,
  keyNames: ReadonlyMap<string, string>,
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
