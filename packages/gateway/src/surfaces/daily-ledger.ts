import { toUsd } from "@manifold-gateway/store";
import { z } from "zod";
import { momentQuery } from "../account/paging.ts";
import { DAY, momentOf } from "../http/moments.ts";
import { defineRoute } from "../route.ts";
import * as shapes from "./shapes/account.ts";

/** Sums the movements of all accounts by day. */
export const booksRoute = defineRoute({
  method: "GET",
  path: "/books",
  access: "operator",
  summary: "List credit, charges and refunds of each day, newest first",
  about:
    "Days are in UTC; days without movements are left out. The request reads every movement of the range.",
  query: z.object({ from: momentQuery.describe("Default: 30 days ago.") }),
  answer: shapes.bookedDays,
  examples: { "the last days": {}, "since a day": { query: { from: "2026-01-01" } } },
  mayLag: true,
  uses: ["now", "store"],
  async handler({ services: { store, now } }, { query: { from = now() - 30 * DAY } }) {
    const start = from - (from % DAY);
    const days = await store.ledger.days(start);
    const results = days.map(({ at, credited, charged, refunded }) => ({
      day: momentOf(at).slice(0, 10),
      credited: toUsd(credited),
      charged: toUsd(charged),
      refunded: toUsd(refunded),
    }));
    return { body: { results, from: momentOf(start) } };
  },
});
