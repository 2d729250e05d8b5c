import { BUCKETS, SPLITS } from "@manifold-gateway/store";
import { z } from "zod";

const count = z.int();
const sums = {
  requests: count,
  failed: count,
  usdCost: z.number(),
  microCost: count,
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  reasoningTokens: count,
  images: count,
  seconds: z.number(),
  characters: count,
  p50Ms: count.optional().describe("The median duration, approximately."),
  p95Ms: count.optional(),
};
const total = z.object(sums).meta({ id: "UsageSums" });

export const series = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    bucket: z.enum(BUCKETS),
    by: z.union([z.enum(SPLITS), z.string().regex(/^tag:/)]).optional(),
    total,
    before: total.describe("Totals of the previous range of the same length."),
    series: z
      .array(
        z.object({
          name: z
            .string()
            .optional()
            .describe(
              "The model, key, modality, status, or value of the tag; empty for sessions, and for values of a tag beyond those that are counted separately. Absent for the sum of the others.",
            ),
          count: count.optional().describe("The number of series in the sum of the others."),
          total,
          points: z.array(z.object({ at: z.iso.datetime(), ...sums })),
        }),
      )
      .describe(
        "The largest first, and the sum of the others at the end. Points without a request are left out.",
      ),
  })
  .meta({ id: "UsageSeries" });
