/** A point in time by two clocks: one that people set, and one that only goes on, but may stand while a machine sleeps. */
export interface Moment {
  clock: number;
  steady: number;
}

export const now = (): Moment => ({ clock: Date.now(), steady: performance.now() });

/** The time for which a lease is good without being seen in the database. */
const FRESH_MS = 2_000;

/** True where both clocks say that little time has passed. */
export const isFresh = (before: Moment, at: Moment): boolean =>
  Math.abs(at.clock - before.clock) < FRESH_MS && at.steady - before.steady < FRESH_MS;
