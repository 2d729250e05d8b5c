import type { GenerationFilter } from "@manifold-gateway/store";
import { z } from "zod";
import { operatorOf } from "../access/authenticate.ts";
import { FORMS, fileNameOf, pagesOf, toExported } from "../account/export.ts";
import { keyNamesOf } from "../account/series-names.ts";
import { chosenQuery, defined } from "../account/usage-filters.ts";
import { Refusal } from "../http/refusal.ts";
import { labelQuery, writeTags } from "../http/tags.ts";
import type { Context } from "../ports/context.ts";
import { defineRoute } from "../route.ts";

const filters = z.object({ ...chosenQuery, ...labelQuery });
type Filters = z.output<typeof filters>;

const toFilter = ({ caller }: Context, { tag: tags, key, ...rest }: Filters) =>
  defined({ ...rest, tags, accountId: caller.accountId, keyId: key }) as GenerationFilter & {
    accountId: string;
  };

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
  handler: async (context, { query }) => ({
    body: { total: await context.services.store.generations.count(toFilter(context, query)) },
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
    const { from, to, tag, key, ...rest } = query;
    const named = defined({ ...rest, tag: tag && writeTags(tag), key: key && (names.get(key) ?? key) });
    const pages = pagesOf(services.store.generations, toFilter(context, query));
    // Read before the head is sent: if the database cannot be reached, a refusal can still be sent.
    const first = await pages.next();
    sink.head(200, {
      "content-type": form.type,
      "content-disposition": `attachment; filename="${fileNameOf(named, { from, to }, format)}"`,
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
