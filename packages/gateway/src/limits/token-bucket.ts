import type { Rates } from "../ports/bounds.ts";

/**
 * The most subjects with a bucket. Beyond that, those idle longest are dropped, and get a full bucket when they
 * return.
 */
const ROOM = 10_000;

/**
 * Creates a token bucket for each subject: `burst` uses at once, and one more every `60,000 / perMinute` ms by a
 * clock that is never set: after one that is set back, its subjects would wait for as much longer.
 */
export function createRates(
  { perMinute, burst = perMinute }: { perMinute: number; burst?: number },
  steady: () => number,
): Rates {
  const interval = 60_000 / perMinute;
  // Sums of fractions are rounded, which would refuse the last use of a burst. The debt stays, and so does the rate.
  const tolerance = Math.min(1, interval / 2);
  /** The time at which each subject's bucket will be full. */
  const fullAt = new Map<string, number>();
  return {
    take(subject) {
      const at = steady();
      const full = Math.max(at, fullAt.get(subject) ?? 0);
      const wait = full + interval - burst * interval - at;
      if (wait > tolerance) return wait;
      fullAt.delete(subject);
      if (fullAt.size >= ROOM) fullAt.delete(fullAt.keys().next().value as string);
      fullAt.set(subject, full + interval);
      return 0;
    },
  };
}
