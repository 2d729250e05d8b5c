import type { JsonObject } from "@manifold-gateway/core/codec";
import { type Counts, costOf, type Price, UNITS, type Unit, unitTerms } from "@manifold-gateway/store";

/** The most that a provider can plausibly report of a unit. A larger count is ignored. */
const MOST = 100_000_000;

const isCount = (unit: Unit, count: unknown): count is number =>
  typeof count === "number" && count >= 0 && count <= MOST && (unit === "seconds" || Number.isInteger(count));

/** Checks whether the provider reported the unit, or the unit that it is a part of. */
function isKnown(unit: Unit, reported: Counts): boolean {
  const whole = (unitTerms(unit).of ?? unit) as Unit;
  return isCount(whole, reported[whole]);
}

/**
 * Computes the charge of a job from the counts that its provider reported and, for priced units that it left out, the
 * estimated counts. `shown` is added to the usage in the record.
 */
export function charge(
  price: Price,
  estimate: Counts,
  reported: Counts,
  shown: JsonObject = {},
): { cost: number; usage: JsonObject } {
  const counts: { [unit in Unit]?: number } = {};
  let estimated = false;
  for (const unit of UNITS) {
    const count = reported[unit];
    if (isCount(unit, count)) counts[unit] = count;
    else if ((price[unit] ?? 0) > 0 && !isKnown(unit, reported)) {
      const estimatedCount = estimate[unit];
      if (estimatedCount === undefined) continue;
      counts[unit] = estimatedCount;
      estimated = true;
    }
  }
  const usage = { ...shown, ...counts, ...(estimated && { estimated: true }) };
  return { cost: costOf(counts, price), usage };
}
