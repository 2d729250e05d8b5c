import { BUCKETS, SPLITS } from "@manifold-gateway/store";
import { z } from "zod";

const count = z.int();
const sums = {
  requests: count,
  failed: count,
  refused: count
    .optional()
    .describe(
      "Requests that were refused before they had a record; `requests` does not count them. Absent where refusals are not counted by a condition: by model, kind, surface, entry, provider or tag.",
    ),
  usdCost: z.number(),
  microCost: count,
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  reasoningTokens: count,
  images: count,
  seconds: z.number(),
  characters: count,
  p50Ms: count.optional().describe("The median duration, within 5 %; never above the longest."),
  p95Ms: count.optional().describe("The duration that 95 of 100 requests did not exceed."),
  p50FirstMs: count
    .optional()
    .describe(
      "The median time from the call of the provider to the first token, or to the first byte of an answer that came whole.",
    ),
  p95FirstMs: count.optional(),
  coarse: z
    .boolean()
    .optional()
    .describe(
      "Present where durations of an earlier version are among them, which are known only by classes a factor 3 wide; those have no time to the first token.",
    ),
};
const total = z.object(sums).meta({ id: "UsageSums" });

const one = z.object({
  name: z
    .string()
    .optional()
    .describe(
      "The model, key, modality, status, surface, neutral id of the entry, or value of the tag. Empty for sessions, for surfaces and entries that records of earlier versions lack, and for values of a tag beyond those that are counted separately. Absent for the sum of the others.",
    ),
  displayName: z.string().optional().describe("The name of the key or account whose id is `name`."),
  count: count.optional().describe("The number of series in the sum of the others."),
  total,
  points: z.array(z.object({ at: z.iso.datetime(), ...sums })),
});

const shape = {
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  bucket: z.enum(BUCKETS),
  by: z.union([z.enum(SPLITS), z.string().regex(/^tag:/)]).optional(),
  total,
  before: total.describe("Totals of the previous range of the same length."),
};
const order =
  "The largest first, and the sum of the others at the end. Points without a request are left out.";

export const series = z
  .object({ ...shape, series: z.array(one).describe(order) })
  .meta({ id: "UsageSeries" });

/** The splits that operators can choose. */
export const ALL_SPLITS = [...SPLITS, "account", "provider"] as const;

/** The same over all accounts, with the names of entries, which only operators see. */
export const operatorSeries = z
  .object({
    ...shape,
    by: z.union([z.enum(ALL_SPLITS), z.string().regex(/^tag:/)]).optional(),
    series: z
      .array(
        one.extend({
          served: z
            .object({ provider: z.string(), name: z.string() })
            .optional()
            .describe("Of an entry in the catalog: its provider, and the provider's own name for the model."),
        }),
      )
      .describe(order),
  })
  .meta({ id: "OperatorUsageSeries" });
