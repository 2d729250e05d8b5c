import type { Rates } from "./ports/bounds.ts";

/**
 * The number of subjects that are remembered; beyond it those that were idle the longest go first, with a full
 * bucket.
 */
const ROOM = 10_000;

/**
 * A token bucket for each subject: `burst` at once, and one more with every `60,000 / perMinute` ms. A clock that is set
 * back gives nothing.
 */
export function createRates(
  { perMinute, burst = perMinute }: { perMinute: number; burst?: number },
  now: () => number,
): Rates {
  const interval = 60_000 / perMinute;
  /** By subject, the time at which its bucket will be full. */
  const fullAt = new Map<string, number>();
  return {
    take(subject) {
      const at = now();
      const full = Math.max(at, fullAt.get(subject) ?? 0);
      const wait = full + interval - burst * interval - at;
      if (wait > 0) return wait;
      fullAt.delete(subject);
      if (fullAt.size >= ROOM) fullAt.delete(fullAt.keys().next().value as string);
      fullAt.set(subject, full + interval);
      return 0;
    },
  };
}
