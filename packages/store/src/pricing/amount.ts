/**
 * Amounts are whole micro-USD (1 USD = 1,000,000) everywhere behind the wire. Sums of money are never floats, because
 * a million times 0.000001 is not exactly 1.
 */
const MICRO = 1_000_000;

/** Converts a USD figure of a wire or a configuration to micro-USD, rounded to the nearest. */
export function toMicro(usd: number): number {
  return toAmount(Math.round(usd * MICRO), "amount");
}

/** Converts micro-USD to the USD number for a wire. */
export function toUsd(micro: number): number {
  return toAmount(micro, "amount") / MICRO;
}

/** Returns `value` if it is an integer that a double holds exactly; otherwise throws a `RangeError` naming `field`. */
function toAmount(value: number, field: string): number {
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${field} must be a safe integer of micro-USD, got ${value}`);
  return value;
}

/** The same for values of at least `minimum`. */
export function toAmountFrom(minimum: number, value: number, field: string): number {
  if (toAmount(value, field) < minimum)
    throw new RangeError(`${field} must be at least ${minimum} micro-USD, got ${value}`);
  return value;
}
