const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits between the tries of a delivery: after the last of them, a day after the first try, it is given up. */
const WAITS = [
  ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR],
];

/** The share of a wait by which it may be longer, so that what failed together does not come together again. */
const SPREAD = 0.1;

/** An endpoint that has taken nothing for this long is switched off, in ms. */
export const OFF_AFTER = 5 * 24 * HOUR;

/** The wait after a number of tries, in ms; undefined where there have been enough. `random` is from 0 to 1. */
export function waitAfter(tries: number, random: number): number | undefined {
  const wait = WAITS[tries - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 + SPREAD * random));
}
