import { z } from "zod";
import { totals, totalsOf } from "../account/totals.ts";
import { toFilter, totalsQuery } from "../account/usage-filters.ts";
import { defineRoute } from "../route.ts";

/** Returns what the records of a filter add up to. */
export const usageTotalsRoute = defineRoute({
  method: "GET",
  path: "/usage/totals",
  access: "caller",
  summary: "Add up the generation records of the account that filters let through",
  about:
    "Conditions that hourly sums have are answered from these, for a range of whole hours; others by reading the newest records.",
  query: z.object(totalsQuery),
  answer: totals,
  examples: {
    dear: { query: { minCost: "0.05", from: "2026-01-01" } },
    lossy: { query: { losses: "true" } },
  },
  mayLag: true,
  uses: ["now", "store"],
  handler: async ({ services, caller }, { query }) => ({
    body: await totalsOf(services.store, toFilter(query, caller.accountId), services.now()),
  }),
});
