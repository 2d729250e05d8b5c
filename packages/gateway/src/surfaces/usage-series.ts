import type { JsonObject } from "@manifold-gateway/core/codec";
import { BUCKETS, SPLITS, sumOf } from "@manifold-gateway/store";
import { z } from "zod";
import { chosenQuery, defined } from "../account/chosen.ts";
import { whole } from "../account/paging.ts";
import { bucketsIn, MEASURES, type Measure, toSeries, toSums } from "../account/series.ts";
import { tagQuery, tagSplit } from "../labels.ts";
import { allEntries } from "../operating/state.ts";
import type { Services } from "../ports/services.ts";
import { defineRoute } from "../route.ts";
import { operatorSeries, series } from "./shapes/usage.ts";

const HOUR = 3_600_000;
const MONTH = 30 * 24 * HOUR;
/** A chart with more points shows nothing more. */
const MOST_BUCKETS = 1_000;

/** Which usage can be split by, beside the values of a tag. */
const splits = z.enum(SPLITS, `must be one of ${SPLITS.join(", ")}, or 'tag:' with a tag's name`);

const seriesFields = z.object({
  ...chosenQuery,
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
});

/** Refuses what no sums answer. */
const checked = <Fields extends typeof seriesFields>(fields: Fields) =>
  fields
    .refine(({ tag, by }) => tag === undefined || typeof by !== "object", {
      message: "must not be given with 'by=tag:…': sums are apart by one tag.",
      path: ["tag"],
    })
    .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
      message: "must be after 'from'.",
      path: ["to"],
    })
    .refine(
      ({ from, to, bucket }) =>
        from === undefined || bucketsIn(from, to ?? Date.now(), bucket) <= MOST_BUCKETS,
      {
        message: `is too far back for this 'bucket': a range has at most ${MOST_BUCKETS} of them.`,
        path: ["from"],
      },
    );

const about =
  "Sums are of whole hours: `from` is rounded down to the full hour, `to` up. A generation counts in the hour in which it began, once it has ended; a refund does not reduce the cost.";

/** The sums that a query chooses, of one account or of all. */
async function seriesOf(
  { store: { usage }, now }: Services,
  { bucket, by: split, measure, top, from, to, tag: one, key, ...rest }: z.output<typeof seriesFields>,
  accountId?: string,
) {
  const until = Math.ceil((to ?? now()) / HOUR) * HOUR;
  const since = Math.floor((from ?? until - MONTH) / HOUR) * HOUR;
  const tag = typeof split === "object" ? { name: split.tag } : one;
  const by = typeof split === "object" ? "tag" : split;
  const filter = defined({ ...rest, tag, accountId, keyId: key });
  const points = await usage.series({ ...filter, from: since, to: until }, { bucket, ...(by && { by }) });
  const before = await usage.series(
    { ...filter, from: since - (until - since), to: since },
    { bucket: "month" },
  );
  return {
    from: new Date(since).toISOString(),
    to: new Date(until).toISOString(),
    bucket,
    ...(split && { by: typeof split === "object" ? `tag:${split.tag}` : split }),
    total: toSums(sumOf(points)),
    before: toSums(sumOf(before)),
    series: toSeries(points, measure, top),
  };
}

/** The sums over the records of an account. */
export const usageSeriesRoute = defineRoute({
  method: "GET",
  path: "/usage/series",
  access: "caller",
  summary: "Get sums over the generation records of the account, by time",
  about,
  query: checked(seriesFields),
  answer: series,
  examples: {
    month: { query: { by: "model", bucket: "day" } },
    hours: { query: { bucket: "hour", measure: "requests", by: "status", modality: "text" } },
    "of each team": { query: { by: "tag:team" } },
    "of each entry of a model": { query: { by: "entry", model: "sim-chat", measure: "requests" } },
  },
  async handler({ services, caller }, { query }) {
    return { body: await seriesOf(services, query, caller.accountId) };
  },
});

/** The sums over the records of all accounts, or of one. */
export const allUsageRoute = defineRoute({
  method: "GET",
  path: "/usage/series",
  access: "operator",
  summary: "Get sums over the generation records of all accounts, or of one, by time",
  about,
  query: checked(
    seriesFields.extend({ account: z.string().max(256).optional().describe("The id of an account.") }),
  ),
  answer: operatorSeries,
  examples: {
    "of each entry": { query: { by: "entry", measure: "requests" } },
    "of an account": { query: { account: "acc", by: "surface", bucket: "week" } },
  },
  async handler({ services }, { query: { account, ...query } }) {
    const found = await seriesOf(services, query, account);
    if (query.by !== "entry") return { body: found };
    const entries = new Map(allEntries(services).map(({ id, entry }) => [id, entry]));
    const named = found.series.map((one): JsonObject => {
      const entry = entries.get(one.name as string);
      return entry ? { ...one, served: { provider: entry.provider, name: entry.name } } : one;
    });
    return { body: { ...found, series: named } };
  },
});
