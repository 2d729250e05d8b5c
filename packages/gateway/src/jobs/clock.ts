/** Time, and being called when some of it has passed. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once, after so many milliseconds; the answer takes it back. */
  after(ms: number, run: () => void): () => void;
}

/** The longest that a timer of the platform waits. */
const LONGEST = 2 ** 31 - 1;

/** The clock of the machine. What waits on it does not keep a process alive. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST));
    timer.unref?.();
    return () => clearTimeout(timer);
  },
};
