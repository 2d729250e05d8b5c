import { BUCKETS, MODALITIES, OUTCOMES, SPLITS, sumOf } from "@manifold-gateway/store";
import { z } from "zod";
import { cursorQuery, momentQuery, pageQuery, toCursor, whole } from "../account/paging.ts";
import { toCsv, toListed, toRecord } from "../account/records.ts";
import { bucketsIn, MEASURES, type Measure, toSeries, toSums } from "../account/series.ts";
import { labelQuery, tagQuery, tagSplit } from "../labels.ts";
import { defineRoute } from "../route.ts";
import * as shapes from "./shapes/account.ts";
import { series } from "./shapes/usage.ts";

const HOUR = 3_600_000;
const MONTH = 30 * 24 * HOUR;
/** A chart with more points shows nothing more. */
const MOST_BUCKETS = 1_000;

const chosen = {
  modality: z.enum(MODALITIES).optional(),
  status: z.enum(OUTCOMES).optional(),
  model: z.string().max(256).optional(),
  key: z.string().max(256).optional().describe("The id of an API key."),
  from: momentQuery,
  to: momentQuery,
};

/** Which usage can be split by, beside the values of a tag. */
const splits = z.enum(SPLITS, `must be one of ${SPLITS.join(", ")}, or 'tag:' with a tag's name`);

const usageQuery = pageQuery
  .extend({
    ...chosen,
    ...labelQuery,
    limit: whole(1, 500, 20).describe("Up to 100; up to 500 with `after`."),
    after: cursorQuery.describe(
      "The `next` of the previous page, or `0` for the first: equally fast at any depth, but without `total`.",
    ),
    request: z
      .enum(["true", "false"])
      .default("true")
      .describe("`false` leaves the requests out of the records."),
    format: z.enum(["json", "csv"]).default("json"),
  })
  .refine(({ limit, after }) => limit <= 100 || after !== undefined, {
    message: "must be a whole number from 1 to 100; with 'after', up to 500.",
    path: ["limit"],
  });

const seriesQuery = z
  .object({
    ...chosen,
    tag: tagQuery,
    bucket: z.enum(BUCKETS).default("day").describe("In UTC; weeks begin on Monday."),
    by: z
      .union([tagSplit, splits])
      .optional()
      .describe("`tag:team` splits by the values of the tag `team`, and leaves out requests without it."),
    measure: z
      .enum(Object.keys(MEASURES) as [Measure, ...Measure[]])
      .default("spend")
      .describe("The measure by which the largest series are chosen; every point has every measure."),
    top: whole(1, 50, 6).describe("The number of series that are listed; the others are summed."),
  })
  .refine(({ tag, by }) => tag === undefined || typeof by !== "object", {
    message: "must not be given with 'by=tag:…': sums are apart by one tag.",
    path: ["tag"],
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    message: "must be after 'from'.",
    path: ["to"],
  })
  .refine(
    ({ from, to, bucket }) => from === undefined || bucketsIn(from, to ?? Date.now(), bucket) <= MOST_BUCKETS,
    {
      message: `is too far back for this 'bucket': a range has at most ${MOST_BUCKETS} of them.`,
      path: ["from"],
    },
  );

/** The filter of an account's records, of what a query has. */
const toFilter = <Rest extends object>(
  { caller }: { caller: { accountId: string } },
  { key, ...rest }: Rest & { key?: string | undefined },
) => ({
  ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as {
    [K in keyof Rest]: NonNullable<Rest[K]>;
  }),
  accountId: caller.accountId,
  ...(key !== undefined && { keyId: key }),
});

/** The records of an account, and sums over them. */
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
    },
    async handler(context, { query: { offset, limit, after, request, format, tag: tags, ...rest } }) {
      const { generations } = context.services.store;
      const filter = toFilter(context, { ...rest, tags });
      const isWithRequest = request === "true";
      const toShown = isWithRequest ? toRecord : toListed;
      const page =
        after === undefined
          ? await generations.list(filter, { offset, limit })
          : {
              results: await generations.after(filter, { ...(after && { after }), limit, isWithRequest }),
              total: undefined,
            };
      const { results, total } = page;
      const records = results.map(toShown);
      const last = results.length === limit ? results.at(-1) : undefined;
      const next = after !== undefined && last ? toCursor(last) : undefined;
      if (format === "json")
        return {
          body: {
            results: records,
            ...(total === undefined ? { limit } : { total, offset, limit }),
            ...(next !== undefined && { next }),
          },
        };
      return {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": 'attachment; filename="usage.csv"',
          ...(total !== undefined && { "x-total-count": String(total) }),
        },
        body: toCsv(records),
      };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/usage/series",
    access: "caller",
    summary: "Get sums over the generation records of the account, by time",
    about:
      "Sums are of whole hours: `from` is rounded down to the full hour, `to` up. A generation counts in the hour in which it began, once it has ended; a refund does not reduce the cost.",
    query: seriesQuery,
    answer: series,
    examples: {
      month: { query: { by: "model", bucket: "day" } },
      hours: { query: { bucket: "hour", measure: "requests", by: "status", modality: "text" } },
      "of each team": { query: { by: "tag:team" } },
    },
    async handler(context, { query: { bucket, by: split, measure, top, from, to, tag: one, ...rest } }) {
      const { usage } = context.services.store;
      const until = Math.ceil((to ?? context.services.now()) / HOUR) * HOUR;
      const since = Math.floor((from ?? until - MONTH) / HOUR) * HOUR;
      const tag = typeof split === "object" ? { name: split.tag } : one;
      const by = typeof split === "object" ? "tag" : split;
      const filter = toFilter(context, { ...rest, tag });
      const points = await usage.series({ ...filter, from: since, to: until }, { bucket, ...(by && { by }) });
      const before = await usage.series(
        { ...filter, from: since - (until - since), to: since },
        { bucket: "month" },
      );
      return {
        body: {
          from: new Date(since).toISOString(),
          to: new Date(until).toISOString(),
          bucket,
          ...(split && { by: typeof split === "object" ? `tag:${split.tag}` : split }),
          total: toSums(sumOf(points)),
          before: toSums(sumOf(before)),
          series: toSeries(points, measure, top),
        },
      };
    },
  }),
];
