import type { JsonObject } from "@manifold-gateway/core/codec";
import { type GenerationFilter, type Store, sumOf, type Totals, toUsd } from "@manifold-gateway/store";
import { z } from "zod";
import { toSums } from "./series.ts";

const HOUR = 3_600_000;

/** The schema of totals. */
export const totals = z
  .object({
    requests: z.int(),
    failed: z.int(),
    usdCost: z.number(),
    microCost: z.int(),
    p50Ms: z.int().optional().describe("The median duration."),
    p95Ms: z.int().optional(),
    since: z.iso
      .datetime()
      .optional()
      .describe("Only records from then on were added up: older ones were too many."),
  })
  .meta({ id: "UsageTotals" });

const isFullHour = (moment: number | undefined): boolean => moment === undefined || moment % HOUR === 0;

/** A filter as sums by the hour can answer it; `undefined` if they cannot. */
function asSummed(filter: GenerationFilter) {
  const { accountId, tags, user, minCost, minDuration, hasLosses, isTranslated, requestId, ...rest } = filter;
  const unsummed = [user, minCost, minDuration, hasLosses, isTranslated, requestId];
  const [tag, ...others] = Object.entries(tags ?? {}).map(([name, value]) => ({ name, value }));
  if (unsummed.some((value) => value !== undefined) || others.length > 0) return undefined;
  if (Array.isArray(accountId) || !isFullHour(rest.from) || !isFullHour(rest.to)) return undefined;
  return { ...rest, ...(tag && { tag }), ...(typeof accountId === "string" && { accountId }) };
}

/** Adds up the records of a filter: from the sums of hours if these have all of its conditions. */
export async function totalsOf(
  { generations, usage }: Pick<Store, "generations" | "usage">,
  filter: GenerationFilter,
  now: number,
): Promise<JsonObject> {
  const summed = asSummed(filter);
  if (!summed) return toTotals(await generations.totals(filter));
  const { from = 0, to = Math.ceil((now + 1) / HOUR) * HOUR } = summed;
  const { requests, failed, usdCost, microCost, p50Ms, p95Ms } = toSums(
    sumOf(await usage.series({ ...summed, from, to }, {})),
  );
  return {
    ...{ requests, failed, usdCost, microCost },
    ...(p50Ms !== undefined && { p50Ms }),
    ...(p95Ms !== undefined && { p95Ms }),
  } as JsonObject;
}

const toTotals = ({ cost, since, ...totals }: Totals): JsonObject => ({
  ...totals,
  usdCost: toUsd(cost),
  microCost: cost,
  ...(since !== undefined && { since: new Date(since).toISOString() }),
});
