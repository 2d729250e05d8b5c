import { toAmountFrom } from "./amount.ts";

/** The spending limits a key may have; `total` is for its lifetime. */
export const CAPS = ["daily", "weekly", "monthly", "total"] as const;
/** The window of a spending limit, in UTC: one of `CAPS`. */
export type Cap = (typeof CAPS)[number];

/** Micro-USD; a cap that is not configured is absent. */
export type Caps = { [cap in Cap]?: number };
/** `null` removes a cap; an absent cap stays as it is. */
export type CapsChange = { [cap in Cap]?: number | null };

type Limits = { [cap in Cap as `${cap}_limit`]: number | null };

/** Converts a change to columns. Throws a `RangeError` naming a cap that is not an amount of at least 0. */
export function toLimits(change: CapsChange): Partial<Limits> {
  const limits: Partial<Limits> = {};
  for (const cap of CAPS) {
    const limit = change[cap];
    if (limit !== undefined) limits[`${cap}_limit`] = limit === null ? null : toAmountFrom(0, limit, cap);
  }
  return limits;
}

export function toCaps(limits: Limits): Caps {
  const caps: Caps = {};
  for (const cap of CAPS) {
    const limit = limits[`${cap}_limit`];
    if (limit !== null) caps[cap] = limit;
  }
  return caps;
}
