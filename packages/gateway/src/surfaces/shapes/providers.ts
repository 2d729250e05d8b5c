import { z } from "zod";

const count = z.int();
const moment = z.iso.datetime();

/** What was served, with its errors, its cost and its speed. */
export const served = {
  requests: count.describe("Requests that it served last, whatever their outcome."),
  failed: count.describe("Those with the outcome `failed`."),
  calls: count.describe("All calls: also those after which the request was sent again or elsewhere."),
  failedCalls: count.describe(
    "Calls that the provider failed: no answer, one that broke off, or the status 401, 402, 403, 408, 429 or from 500 on.",
  ),
  errorShare: z.number().optional().describe("`failedCalls` of `calls`."),
  usdCost: z.number(),
  microCost: count,
  p50Ms: count.optional(),
  p95Ms: count.optional(),
  p50FirstMs: count.optional().describe("The median time to the first token."),
  p95FirstMs: count.optional(),
  coarse: z.boolean().optional(),
};
const first = z.object({ p50FirstMs: count, p95FirstMs: count });

const compared = z
  .object({
    models: z.array(z.string()).describe("The models that others served as well."),
    providers: z.array(z.string()).describe("The others."),
    requests: count.describe("The requests of these models at this provider."),
    p50FirstMs: count,
    p95FirstMs: count,
    others: first.describe("Of the others, as if they had this provider's share of each model."),
    ratio: z.number().describe("The median of this provider, as a multiple of that of the others."),
  })
  .meta({ id: "ProviderComparison" });

const summary = z
  .object({
    id: z.string(),
    host: z.string().optional(),
    isConfigured: z.boolean().describe("False for a provider that served and is gone."),
    ...served,
    compared: compared.optional().describe("Absent if no other provider served one of its models."),
    circuits: z
      .object({ closed: count, open: count, halfOpen: count, paused: count })
      .describe("Its entries by their circuits in the process that answers; `paused` are not active."),
    points: z.array(z.object({ at: moment, requests: count })).describe("Hours or days with requests."),
  })
  .meta({ id: "ProviderSummary" });

const range = { from: moment, to: moment, bucket: z.enum(["hour", "day"]) };

export const providers = z.object({
  ...range,
  providers: z
    .array(summary)
    .describe(
      "The worst first: those with open circuits, then with a share of errors from 5 % on, then those that are slowest beside the others of the same models.",
    ),
});

const failure = z.object({
  at: moment,
  generationId: z.string(),
  accountId: z.string(),
  model: z.string(),
  entry: z.string(),
  status: count.optional().describe("The status of its answer."),
  fault: z.string().optional().describe("Why there was no answer, or only a part of one: `incomplete`."),
  error: z
    .object({
      code: z.string().optional(),
      type: z.string().optional(),
      message: z.string().optional(),
      body: z.string().optional(),
    })
    .optional()
    .describe("The provider's own words, as far as `records.requests` keeps them."),
});

export const provider = summary
  .omit({ points: true })
  .extend({
    ...range,
    points: z
      .array(z.object({ at: moment, ...served, others: first.optional() }))
      .describe("By time, beside the others of the same models."),
    models: z.array(
      z.object({
        model: z.string(),
        ...served,
        others: first.optional(),
        providers: z.array(z.string()).optional().describe("The others that served it."),
        ratio: z.number().optional(),
      }),
    ),
    failures: z
      .array(failure)
      .describe(
        "The last calls that it failed or refused, newest first, whatever the range. The last 200 are kept.",
      ),
  })
  .meta({ id: "ProviderDetail" });
