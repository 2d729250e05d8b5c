import { logFailure } from "../http/fault.ts";
import type { WorkContext } from "./work-context.ts";

/** The pause before a failed write is repeated, in milliseconds. */
const PAUSE = 1_000;
/** The number of tries. After the last, the lease is left to expire. */
const TRIES = 120;

/** Repeats a write while the database is unreachable, because a lost write would lose an answer that was paid for. */
export async function retryWrite<T>({ deps, ref, signal }: WorkContext, write: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await write();
    } catch (error) {
      if (signal.aborted || tried === TRIES) throw error;
      if (tried === 1) logFailure(deps.log, error, { batch: ref.id }, "batch not written, it is tried again");
      await new Promise<void>((resolve) => void deps.clock.after(PAUSE, resolve));
    }
  }
}
