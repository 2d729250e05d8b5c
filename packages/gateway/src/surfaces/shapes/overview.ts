import { z } from "zod";
import { served } from "./providers.ts";

const moment = z.iso.datetime();

const route = z.object({
  entry: z.string().describe("The neutral id of the entry."),
  provider: z.string(),
  name: z.string().describe("The provider's own name for the model."),
  model: z.string(),
  ...served,
});
const unfinished = z.array(
  z.object({ id: z.string(), accountId: z.string(), model: z.string(), createdAt: moment }),
);

export const overview = z
  .object({
    at: moment,
    from: moment,
    to: moment,
    failing: z.array(route).describe("Routes of which 5 % of the calls or more failed, the worst first."),
    slowest: z.array(route).describe("Routes by their median time to the first token, the slowest first."),
    unpriced: z
      .array(route.pick({ entry: true, provider: true, name: true, model: true }))
      .describe("Active entries without a price for what they make, which are not sold."),
    orphans: unfinished.describe("Jobs of the last 7 days whose outcome at the provider is unknown."),
    stale: unfinished.describe("Text requests that began more than an hour ago and have not ended."),
    accounts: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          usdAvailable: z.number().describe("The credit without what is held."),
          days: z.number().describe("How long it lasts at the pace of the last 7 days."),
        }),
      )
      .describe("Active accounts whose credit lasts for less than 7 days, the shortest first."),
    audit: z
      .object({ at: moment, actor: z.string(), differences: z.int() })
      .optional()
      .describe("The last audit of the books. Absent: the audit log has none."),
    processes: z.array(
      z.object({
        owner: z.string().describe("The host, the process's id, and what makes it unique."),
        startedAt: moment,
        heartbeatAt: moment.describe("Its last sign of life."),
        isThis: z.boolean().describe("It answered this request."),
      }),
    ),
  })
  .meta({ id: "Overview" });
