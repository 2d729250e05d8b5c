import type { JsonObject } from "@manifold-gateway/core/codec";
import { type Counts, costOf, type Price, UNITS, type Unit, unitTerms } from "@manifold-gateway/store";

/** No provider counts more than this of anything: such a figure is taken for none. */
const MOST = 100_000_000;

const isCount = (unit: Unit, count: unknown): count is number =>
  typeof count === "number" && count >= 0 && count <= MOST && (unit === "seconds" || Number.isInteger(count));

/** A part of a whole is known by the whole. */
function isKnown(unit: Unit, reported: Counts): boolean {
  const whole = (unitTerms(unit).of ?? unit) as Unit;
  return isCount(whole, reported[whole]);
}

/**
 * The charge of a job: the counts that its provider reported and, for priced units that it left out, the estimated
 * ones. `shown` stands beside it in the record.
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
    const told = reported[unit];
    if (isCount(unit, told)) counts[unit] = told;
    else if ((price[unit] ?? 0) > 0 && !isKnown(unit, reported)) {
      const reckoned = estimate[unit];
      if (reckoned === undefined) continue;
      counts[unit] = reckoned;
      estimated = true;
    }
  }
  const usage = { ...shown, ...counts, ...(estimated && { estimated: true }) };
  return { cost: costOf(counts, price), usage };
}
