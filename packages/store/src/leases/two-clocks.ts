/** A time by two clocks: the wall clock, which can be set, and a steady one, which may stop while a machine sleeps. */
export interface Moment {
  clock: number;
  steady: number;
}

export const now = (): Moment => ({ clock: Date.now(), steady: performance.now() });

/** The time for which a lease may be used without another look into the database. */
const FRESH_MS = 2_000;

/** True if, by both clocks, less than `FRESH_MS` has passed. */
export const isFresh = (before: Moment, at: Moment): boolean =>
  Math.abs(at.clock - before.clock) < FRESH_MS && at.steady - before.steady < FRESH_MS;
