import { logFailure } from "../http/fault.ts";
import type { Log } from "../ports/log.ts";
import type { Clock } from "./clock.ts";

/** Looks for due work, one look at a time, and sleeps until the next is due. */
export interface Scan {
  readonly isOn: boolean;
  start(): void;
  /** Looks at once. Resolves when that look is over. */
  look(): Promise<void>;
  /** Resolves when no look is under way. */
  settled(): Promise<void>;
  /** Looks no more. Resolves when a look that is under way is over: what it claimed has begun by then. */
  stop(): Promise<void>;
}

/** What a scan needs. */
export interface ScanDeps {
  clock: Clock;
  log: Log;
  limits: {
    /** The longest sleep, in milliseconds. */
    rest: number;
  };
}

/** The shortest sleep: without it, due work that other processes have would cause a busy loop. */
const NAP = 50;
/** The pause after a database error. */
const PAUSE = 1_000;

/**
 * Creates a scan. `takeDue` begins what is due, and resolves to the time at which the next will be; undefined if that
 * is not known, or nothing can be begun. `failure` is what the log says if it fails.
 */
export function createScan(
  { clock, log, limits: { rest } }: ScanDeps,
  failure: string,
  takeDue: () => Promise<number | undefined>,
): Scan {
  let isOn = false;
  let unset = () => {};
  let looking: Promise<void> | undefined;
  let lookAgain = false;

  async function lookOnce(): Promise<void> {
    unset();
    let wait = PAUSE;
    try {
      const due = await takeDue();
      wait = due === undefined ? rest : Math.min(Math.max(due - clock.now(), NAP), rest);
    } catch (error) {
      logFailure(log, error, {}, failure);
    }
    if (isOn) unset = clock.after(wait, () => void look());
  }

  async function lookRepeatedly(): Promise<void> {
    try {
      while (lookAgain && isOn) {
        lookAgain = false;
        await lookOnce();
      }
    } finally {
      // Cleared in the same step that leaves the loop: a look requested between the two would be lost.
      looking = undefined;
    }
  }

  const look = async (): Promise<void> => {
    lookAgain = isOn;
    if (isOn) looking ??= lookRepeatedly();
    await looking;
  };

  return {
    get isOn() {
      return isOn;
    },
    start() {
      isOn = true;
      void look();
    },
    look,
    async settled() {
      await looking;
    },
    async stop() {
      isOn = false;
      unset();
      await looking;
      unset();
    },
  };
}
