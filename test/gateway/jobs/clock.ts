import type { Clock } from "../../../packages/gateway/src/jobs/clock.ts";

/** A clock that moves when it is told to. */
export interface ManualClock extends Clock {
  /** Moves on by so many milliseconds, and calls what comes due on the way. */
  advance(ms: number): void;
  /** Moves on by so many milliseconds, as a machine does that was asleep: all that came due is called at the end. */
  sleep(ms: number): void;
  /** Moves on to whatever comes due next; false where nothing does. */
  next(): boolean;
}

export function manualClock(start: number): ManualClock {
  let now = start;
  const timers = new Set<{ at: number; run: () => void }>();
  const earliest = () => [...timers].sort((a, b) => a.at - b.at)[0];
  const moveTo = (at: number) => {
    for (let timer = earliest(); timer && timer.at <= at; timer = earliest()) {
      timers.delete(timer);
      now = Math.max(now, timer.at);
      timer.run();
    }
    now = Math.max(now, at);
  };
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (ms) => moveTo(now + ms),
    sleep(ms) {
      now += ms;
      moveTo(now);
    },
    next() {
      const timer = earliest();
      if (timer) moveTo(timer.at);
      return timer !== undefined;
    },
  };
}
