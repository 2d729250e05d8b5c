import { TRAIT_ORIGINS } from "@manifold-gateway/providers/routing";
import { z } from "zod";
import { RULES } from "../routing/rank.ts";
import { FALLBACK_CAUSES } from "../text/fallback-causes.ts";

const usd = z.number().describe("US dollars.");
const entry = z.looseObject({
  entry: z.string(),
  provider: z.string().optional().describe("Shown to operators only, like `name`, `rank` and `upstream`."),
  name: z.string().optional(),
});
const candidate = entry.extend({
  protocol: z.string(),
  families: z
    .array(
      z.object({
        row: z.string().describe("The patterns of the names of its models."),
        at: z.string().describe("What its traits were read from."),
        read: z.string().describe("The month in which they were read."),
      }),
    )
    .optional()
    .describe("The rows of known models that it fits. Shown to operators only, like `traits`."),
  traits: z
    .array(z.object({ trait: z.string(), value: z.unknown(), from: z.enum(TRAIT_ORIGINS) }))
    .optional()
    .describe("The traits of the model, and where each is from."),
  rank: z
    .object({
      order: z.int().nullable().describe("The place in `provider.order`, from 0."),
      conversation: z
        .union([z.literal(0), z.literal(1), z.literal(2)])
        .describe("0: it served the conversation; 1: it can read its seals; 2: neither."),
      pause: z.boolean().describe("Whether a pause that it requested is not over."),
      sort: z.number().nullable().describe("The value for `provider.sort`, if known."),
      protocol: z.boolean().describe("Whether it speaks the caller's protocol."),
      priority: z.number(),
      weight: z
        .number()
        .nullable()
        .describe("The draw of its weight for this conversation, the highest first; null without weights."),
      failures: z.number().describe("Failures since its last success."),
      price: usd,
    })
    .optional()
    .describe("The values that are compared, the most important first."),
  decidedBy: z
    .enum([...RULES, "file"])
    .optional()
    .describe("The rule that put it after the previous candidate."),
});
const skipped = entry.extend({ why: z.string(), detail: z.string().optional() });

/** The answer to a request for an explanation. */
export const explanation = z
  .looseObject({
    verdict: z.enum(["accepted", "refused"]),
    status: z.int().optional().describe("The status with which the request would be refused."),
    errors: z.array(z.string()).optional(),
    code: z.string().optional(),
    param: z.string().optional(),
    account: z.string().optional(),
    model: z.string().optional(),
    revision: z.int().optional(),
    route: z.looseObject({ candidates: z.array(candidate), skipped: z.array(skipped) }).optional(),
    entry: z.string().optional().describe("The entry that would be called first."),
    translation: z.enum(["passthrough", "translated"]).optional(),
    losses: z.array(z.looseObject({ path: z.string(), why: z.string() })).optional(),
    hints: z.array(z.string()).optional(),
    upstream: z
      .looseObject({ method: z.string(), path: z.string() })
      .optional()
      .describe("The request that would be sent."),
    cost: z.looseObject({ currency: z.literal("USD") }).optional(),
    reservation: usd.optional(),
    headroom: z.looseObject({ balance: usd }).optional(),
    fallbacks: z
      .array(
        z.looseObject({
          model: z.string(),
          on: z.array(z.enum(FALLBACK_CAUSES)).describe("The failures after which it is asked."),
          verdict: z.enum(["accepted", "refused"]),
          errors: z.array(z.string()).optional(),
          entry: z.string().optional().describe("The entry that would be called first."),
        }),
      )
      .optional()
      .describe("The models that may answer in place of this one, in order."),
  })
  .meta({ id: "Explanation", description: "The response with `x-explain: true`." });
