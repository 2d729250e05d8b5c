import { z } from "zod";

const usd = z.number().describe("US dollars.");
const entry = z.looseObject({
  entry: z.string(),
  provider: z.string().optional().describe("Shown to operators only, like `name` and `upstream`."),
  name: z.string().optional(),
});

/** The answer to a request for an explanation. */
export const explanation = z
  .looseObject({
    verdict: z.enum(["accepted", "refused"]),
    status: z.int().optional().describe("The refusal that the request would meet."),
    errors: z.array(z.string()).optional(),
    code: z.string().optional(),
    param: z.string().optional(),
    account: z.string().optional(),
    model: z.string().optional(),
    revision: z.int().optional(),
    route: z
      .looseObject({ candidates: z.array(entry), skipped: z.array(entry.extend({ why: z.string() })) })
      .optional(),
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
  })
  .meta({ id: "Explanation", description: "With `x-explain: true`, in place of the answer." });
