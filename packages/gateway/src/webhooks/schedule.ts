import { HOUR, MINUTE } from "../http/moments.ts";

const SECOND = 1_000;

/** The pauses between tries of a delivery. After the last, a day after the first try, it is given up. */
const WAITS = [
  ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR],
];

/**
 * The share of a pause by which it may be longer, so that deliveries that failed together are not repeated together.
 */
const SPREAD = 0.1;

/** How long an endpoint may fail before it is switched off, in ms. */
export const OFF_AFTER = 5 * 24 * HOUR;

/** The pause after a number of tries, in ms; `undefined` if there were enough. `random` is from 0 to 1. */
export function waitAfter(tries: number, random: number): number | undefined {
  const wait = WAITS[tries - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 + SPREAD * random));
}
