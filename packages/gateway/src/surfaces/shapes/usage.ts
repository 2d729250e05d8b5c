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
  p50Ms: count.optional().describe("Half of the requests took no longer, about."),
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
    before: total.describe("Of the range before, which is as long."),
    series: z
      .array(
        z.object({
          name: z
            .string()
            .optional()
            .describe(
              "The model, key, modality, status, or value of the tag; empty for sessions, and for values of a tag beyond those that are counted apart. Absent for the others.",
            ),
          count: count.optional().describe("How many the others are."),
          total,
          points: z.array(z.object({ at: z.iso.datetime(), ...sums })),
        }),
      )
      .describe(
        "The greatest first, and the others as one at the end. Points without a request are left out.",
      ),
  })
  .meta({ id: "UsageSeries" });
