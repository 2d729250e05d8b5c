import { z } from "zod";
import { archivedHeaders, archivedUntil } from "../account/archived-until.ts";
import { toCsv } from "../account/csv.ts";
import { cursorQuery, pageQuery, toCursor, whole } from "../account/paging.ts";
import { toListed, toRecord } from "../account/records.ts";
import { MOST_SORTED, sortQuery, toSorted } from "../account/sorting.ts";
import { recordQuery, toFilter } from "../account/usage-filters.ts";
import { defineRoute } from "../route.ts";
import * as shapes from "./shapes/account.ts";
import { usageCountRoute, usageExportRoute } from "./usage-export.ts";
import { usageSeriesRoute } from "./usage-series.ts";
import { usageTotalsRoute } from "./usage-totals.ts";

const usageQuery = pageQuery
  .extend({
    ...recordQuery,
    sort: sortQuery,
    limit: whole(1, 500, 20).describe("Up to 100; up to 500 with `after`."),
    after: cursorQuery.describe(
      "The `next` of the previous page, or `0` for the first: equally fast at any depth, but without `total`.",
    ),
    request: z
      .enum(["true", "false"])
      .default("true")
      .describe("`false` leaves the requests out of the records."),
    reply: z
      .enum(["true", "false"])
      .default("false")
      .describe("`true` adds the replies, as far as they are kept."),
    format: z.enum(["json", "csv"]).default("json"),
  })
  .refine(({ sort, after }) => sort === undefined || after === undefined, {
    message: "must not be given with 'sort': a sorted list is turned by 'offset'.",
    path: ["after"],
  })
  .refine(({ sort, offset, limit }) => sort === undefined || offset + limit <= MOST_SORTED, {
    message: `and 'limit' must be ${MOST_SORTED} at most together with 'sort'.`,
    path: ["offset"],
  })
  .refine(({ limit, after }) => limit <= 100 || after !== undefined, {
    message: "must be a whole number from 1 to 100; with 'after', up to 500.",
    path: ["limit"],
  });

/** Routes for the records of an account and for sums over them. */
export const usageRoutes = [
  defineRoute({
    method: "GET",
    path: "/usage",
    access: "caller",
    summary: "List the generation records of the account",
    query: usageQuery,
    answer: shapes.usagePage,
    also: {
      "text/csv": z.string().describe("The page as CSV with a header line; `x-total-count` has the total."),
    },
    examples: {
      page: { query: { limit: "10", modality: "text", from: "2026-01-01" } },
      "first of many": { query: { after: "0", limit: "500", request: "false" } },
      sheet: { query: { format: "csv" } },
      "of a team": { query: { tag: "team:search,env:prod" } },
      "the dearest": { query: { sort: "cost", from: "2026-01-01", limit: "10" } },
      "of a surface": { query: { surface: "msgstyle" } },
    },
    mayLag: true,
    uses: ["store"],
    async handler({ services, caller }, { query }) {
      const { offset, limit, after, request, reply, format, sort, ...filters } = query;
      const { generations } = services.store;
      const filter = toFilter(filters, caller.accountId);
      const isWithRequest = request === "true" && sort === undefined;
      const contents = { isWithRequest, isWithReply: reply === "true" };
      const toShown = isWithRequest ? toRecord : toListed;
      const page =
        sort !== undefined
          ? toSorted(await generations.ranked(filter, { by: sort, offset, limit }))
          : after === undefined
            ? await generations.list(filter, { offset, limit, isWithReply: contents.isWithReply })
            : { results: await generations.after(filter, { ...(after && { after }), limit, ...contents }) };
      const { results, total, since } = { total: undefined, since: undefined, ...page };
      const records = results.map(toShown);
      const last = results.length === limit ? results.at(-1) : undefined;
      const next = after !== undefined && last ? toCursor(last) : undefined;
      if (format === "json")
        return {
          body: {
            results: records,
            ...(total !== undefined && { total }),
            ...(after === undefined && { offset }),
            limit,
            ...(since !== undefined && { since }),
            ...(next !== undefined && { next }),
            ...(await archivedUntil(services.store, filter)),
          },
        };
      return {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": 'attachment; filename="usage.csv"',
          ...(total !== undefined && { "x-total-count": String(total) }),
          ...(await archivedHeaders(services.store, filter)),
        },
        body: toCsv(records),
      };
    },
  }),
  usageSeriesRoute,
  usageTotalsRoute,
  usageCountRoute,
  usageExportRoute,
];
