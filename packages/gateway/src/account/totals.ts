import type { JsonObject } from "@manifold-gateway/core/codec";
import {
  type GenerationFilter,
  type Outcome,
  type Store,
  sumOf,
  type Totals,
  toUsd,
} from "@manifold-gateway/store";
import { z } from "zod";
import { HOUR, momentOf } from "../http/moments.ts";
import { toSums } from "./series.ts";

/** The schema of totals. */
export const totals = z
  .object({
    requests: z.int(),
    failed: z.int(),
    refused: z
      .int()
      .optional()
      .describe(
        "Requests that were refused before they had a record; absent where these are not counted by a condition, and for a range that is not of whole hours.",
      ),
    usdCost: z.number(),
    microCost: z.int(),
    p50Ms: z.int().optional().describe("The median duration."),
    p95Ms: z.int().optional(),
    p50FirstMs: z.int().optional().describe("The median time to the first token."),
    p95FirstMs: z.int().optional(),
    since: z.iso
      .datetime()
      .optional()
      .describe("Only records from then on were added up: older ones were too many."),
  })
  .meta({ id: "UsageTotals" });

const isFullHour = (moment: number | undefined): boolean => moment === undefined || moment % HOUR === 0;

/** Conditions on records, and whether refused requests are chosen too. */
export type TotalsFilter = Omit<GenerationFilter, "status"> & {
  status?: OneOfStatus | readonly OneOfStatus[];
  /** The code of refusals: only requests that were refused with it. */
  code?: string;
};
type OneOfStatus = Outcome | "refused";

/** A filter as sums by the hour can answer it; `undefined` if they cannot. */
function asSummed(filter: TotalsFilter) {
  const { accountId, tags, user, minCost, minDuration, hasLosses, isTranslated, ...rest } = filter;
  const { requestId, batch, provider, ...others } = rest;
  const unsummed = [user, minCost, minDuration, hasLosses, isTranslated, requestId, batch, provider];
  const [tag, ...tagged] = Object.entries(tags ?? {}).map(([name, value]) => ({ name, value }));
  if (unsummed.some((value) => value !== undefined) || tagged.length > 0) return undefined;
  if (Array.isArray(accountId) || !isFullHour(rest.from) || !isFullHour(rest.to)) return undefined;
  return { ...others, ...(tag && { tag }), ...(typeof accountId === "string" && { accountId }) };
}

/** Adds up the records of a filter: from the sums of hours if these have all of its conditions. */
export async function totalsOf(
  { generations, usage }: Pick<Store, "generations" | "usage">,
  filter: TotalsFilter,
  now: number,
): Promise<JsonObject> {
  const summed = asSummed(filter);
  if (!summed) return toTotals(await generations.totals(ofRecords(filter)));
  const { from = 0, to = Math.ceil((now + 1) / HOUR) * HOUR } = summed;
  const sums = toSums(sumOf(await usage.series({ ...summed, from, to }, {})));
  return Object.fromEntries(TOTALS.flatMap((name) => (sums[name] === undefined ? [] : [[name, sums[name]]])));
}

/** The members of sums that totals have. */
const TOTALS = [
  ...(["requests", "failed", "refused", "usdCost", "microCost"] as const),
  ...(["p50Ms", "p95Ms", "p50FirstMs", "p95FirstMs"] as const),
];

/** The conditions on records alone: a refused request has none. */
function ofRecords({ status, code, ...filter }: TotalsFilter): GenerationFilter {
  if (code !== undefined) return { ...filter, status: [] };
  if (status === undefined) return filter;
  return { ...filter, status: [status].flat().filter((one) => one !== "refused") };
}

const toTotals = ({ cost, since, ...totals }: Totals): JsonObject => ({
  ...totals,
  usdCost: toUsd(cost),
  microCost: cost,
  ...(since !== undefined && { since: momentOf(since) }),
});
