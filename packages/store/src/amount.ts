/**
 * Amounts are whole micro-USD (1 USD = 1,000,000) everywhere behind the wire. No float ever holds money that is
 * added up: a million times 0.000001 is not 1.
 */
const MICRO = 1_000_000;

/** A USD figure of a wire or a configuration as micro-USD, rounded to the nearest one. */
export function toMicro(usd: number): number {
  return toAmount(Math.round(usd * MICRO), "amount");
}

/** Micro-USD as the USD number that goes on a wire. */
export function toUsd(micro: number): number {
  return toAmount(micro, "amount") / MICRO;
}

/** `value` if it is a whole number of micro-USD that a double holds exactly. Throws a `RangeError` naming `field`. */
function toAmount(value: number, field: string): number {
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${field} must be a safe integer of micro-USD, got ${value}`);
  return value;
}

/** As `toAmount`, and at least `minimum`. */
export function toAmountFrom(minimum: number, value: number, field: string): number {
  if (toAmount(value, field) < minimum)
    throw new RangeError(`${field} must be at least ${minimum} micro-USD, got ${value}`);
  return value;
}
