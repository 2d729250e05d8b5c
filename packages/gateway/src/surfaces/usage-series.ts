import { BUCKETS, SPLITS, sumOf } from "@manifold-gateway/store";
import { z } from "zod";
import { entriesOf, type KnownEntries, knownEntries, regroup } from "../account/known-entries.ts";
import { whole } from "../account/paging.ts";
import { bucketsIn, MEASURES, type Measure, toSeries, toSums } from "../account/series.ts";
import { allNames, keyNames, withNames } from "../account/series-names.ts";
import { defined, providerQuery, summedQuery } from "../account/usage-filters.ts";
import { HOUR, momentOf } from "../http/moments.ts";
import { tagQuery, tagSplit } from "../http/tags.ts";
import type { Services } from "../ports/services.ts";
import { defineRoute } from "../route.ts";
import { ALL_SPLITS, operatorSeries, series } from "./shapes/usage.ts";

const MONTH = 30 * 24 * HOUR;
/** The most buckets: a chart with more points would show no more detail. */
const MOST_BUCKETS = 1_000;

/** What splits the usage: one of these names, or the values of a tag. */
const splitBy = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z
    .union([tagSplit, z.enum(names, `must be one of ${names.join(", ")}, or 'tag:' with a tag's name`)])
    .optional()
    .describe("`tag:team` splits by the values of the tag `team`, and leaves out requests without it.");

const seriesFields = z.object({
  ...summedQuery,
  tag: tagQuery,
  bucket: z.enum(BUCKETS).default("day").describe("In UTC; weeks begin on Monday."),
  by: splitBy(SPLITS),
  measure: z
    .enum(Object.keys(MEASURES) as [Measure, ...Measure[]])
    .default("spend")
    .describe("The measure by which the largest series are chosen; every point has every measure."),
  top: whole(1, 50, 6).describe("The number of series that are listed; the others are summed."),
});
/** The fields for operators, who can also split by accounts and providers. */
const allFields = seriesFields.extend({
  by: splitBy(ALL_SPLITS),
  provider: providerQuery,
  account: z.string().max(256).optional().describe("The id of an account."),
});

type SeriesQuery = z.output<typeof allFields>;

/** Refuses combinations of fields that no sums exist for, and ranges of too many buckets. */
const checked = <Fields extends z.ZodType<SeriesQuery>>(fields: Fields) =>
  fields
    .refine(({ tag, by }) => tag === undefined || typeof by !== "object", {
      message: "must not be given with 'by=tag:…': sums are split by one tag only.",
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

/** The sums that a query selects, of one account or of all. */
async function seriesOf(
  { store: { usage }, now }: Pick<Services, "store" | "now">,
  { bucket, by: split, measure, top, from, to, tag: one, key, account, provider, ...rest }: SeriesQuery,
  entries?: KnownEntries,
) {
  const until = Math.ceil((to ?? now()) / HOUR) * HOUR;
  const since = Math.floor((from ?? until - MONTH) / HOUR) * HOUR;
  const tag = typeof split === "object" ? { name: split.tag } : one;
  const by = typeof split === "object" ? "tag" : split;
  const ofProvider =
    entries && provider !== undefined ? { entry: chosenEntries(entries, provider, rest.entry) } : {};
  const filter = defined({ ...rest, ...ofProvider, tag, accountId: account, keyId: key });
  const range = { ...filter, from: since, to: until };
  const points =
    by === "provider"
      ? regroup(
          await usage.series(range, { bucket, by: "entry" }),
          (entry) => entries?.get(entry)?.provider ?? "",
        )
      : await usage.series(range, { bucket, ...(by && { by }) });
  // Splits that refused requests are not counted by have none in their series.
  const refused = await usage.refused(range);
  const before = await usage.series({ ...filter, from: since - (until - since), to: since }, {});
  return {
    from: momentOf(since),
    to: momentOf(until),
    bucket,
    ...(split && { by: typeof split === "object" ? `tag:${split.tag}` : split }),
    total: toSums({ ...sumOf(points), ...(refused !== undefined && { refused }) }),
    before: toSums(sumOf(before)),
    series: await toSeries(points, measure, top),
  };
}

/** The entries of a provider, or the one of them that is chosen. */
function chosenEntries(entries: KnownEntries, provider: string, entry: string | undefined): string[] {
  const all = entriesOf(entries, provider);
  return entry === undefined ? all : all.filter((one) => one === entry);
}

/** Returns sums over the records of an account. */
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
  mayLag: true,
  uses: ["now", "store"],
  async handler({ services, caller }, { query }) {
    const { accountId: account } = caller;
    const found = await seriesOf(services, { ...query, account });
    return {
      body: { ...found, series: withNames(found.series, await keyNames(services, query.by, account)) },
    };
  },
});

/** Returns sums over the records of all accounts, or of one. */
export const allUsageRoute = defineRoute({
  method: "GET",
  path: "/usage/series",
  access: "operator",
  summary: "Get sums over the generation records of all accounts, or of one, by time",
  about,
  query: checked(allFields),
  answer: operatorSeries,
  examples: {
    "of each entry": { query: { by: "entry", measure: "requests" } },
    "of each account": { query: { by: "account" } },
    "of an account": { query: { account: "acc", by: "surface", bucket: "week" } },
    "of each provider of a model": { query: { by: "provider", model: "sim-chat", measure: "requests" } },
  },
  mayLag: true,
  uses: ["now", "store", "wholeCatalog"],
  async handler({ services }, { query }) {
    const { account, by } = query;
    const entries = await knownEntries(services);
    const found = await seriesOf(services, query, entries);
    const names = await allNames(services, by, { account, series: found.series, entries });
    return { body: { ...found, series: withNames(found.series, names) } };
  },
});
