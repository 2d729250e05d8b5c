/** The time and timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds. The returned function cancels that. */
  after(ms: number, run: () => void): () => void;
}

/** The longest delay of the platform's timers. */
const LONGEST = 2 ** 31 - 1;

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST));
    timer.unref?.();
    return () => clearTimeout(timer);
  },
};
