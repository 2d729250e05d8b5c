import type { BatchRef } from "@manifold-gateway/store";
import { logFailure } from "../http/fault.ts";
import type { BatchDeps } from "./deps.ts";

/** The pause before a failed write is repeated, in milliseconds. */
const PAUSE = 1_000;
/** The number of tries. After the last, the lease is left to expire. */
const TRIES = 120;

interface RetryContext {
  deps: BatchDeps;
  ref: BatchRef;
  /** Aborts when the lease is lost. */
  signal: AbortSignal;
}

/** Repeats a write while the database is unreachable, because a lost write would lose an answer that was paid for. */
export async function retryWrite<T>(
  { deps, ref, signal }: RetryContext,
  write: () => Promise<T>,
): Promise<T> {
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
