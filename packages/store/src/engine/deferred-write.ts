import { unrefTimeout } from "./timer.ts";

/** The writing of what is gathered in memory for a moment, because it is not worth a commit of its own. */
export interface DeferredWrite {
  /** Writes soon: something was gathered. */
  soon(): void;
  /** Writes all that is gathered. */
  flush(): Promise<void>;
  /** The same before a read, which does not wait while the database cannot be written to. */
  catchUp(): Promise<void>;
  /** Writes all that is gathered, for the last time. */
  close(): Promise<void>;
}

/** The wait after a failed write, in ms. */
const AGAIN_MS = 5_000;

/**
 * Creates it; `write` runs once at a time, at the latest `gatherMs` milliseconds after `soon`. It resolves to false,
 * and keeps what it could not write, if the database cannot be written to now.
 */
export function createDeferredWrite(gatherMs: number, write: () => Promise<boolean>): DeferredWrite {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let hasFailed = false;
  /** Something was gathered since the running write began. */
  let isDue = false;

  const unset = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const writeOnce = async (): Promise<void> => {
    try {
      do {
        isDue = false;
        hasFailed = !(await write());
      } while (isDue && !hasFailed);
    } finally {
      // In the step that leaves the loop: what is flushed later would not be written.
      writing = undefined;
    }
    if (!hasFailed) return;
    unset();
    timer = unrefTimeout(flush, AGAIN_MS);
  };
  const flush = (): Promise<void> => {
    unset();
    isDue = true;
    writing ??= writeOnce();
    return writing;
  };

  return {
    soon() {
      timer ??= unrefTimeout(flush, gatherMs);
    },
    flush,
    async catchUp() {
      if (!hasFailed) await flush();
    },
    async close() {
      await flush();
      unset();
    },
  };
}
