import type { BatchRef } from "@manifold-gateway/store";
import { logFailure } from "../http/fault.ts";
import type { BatchDeps } from "./deps.ts";

/** The pause before a write that failed is repeated, in milliseconds. */
const PAUSE = 1_000;
/** The times that a database may be away before the lease is left to run out. */
const REPEATS = 120;

interface Insisting {
  deps: BatchDeps;
  ref: BatchRef;
  /** The lease is lost. */
  signal: AbortSignal;
}

/** Repeats a write while the database is away: what it writes was paid for. */
export async function insist<T>({ deps, ref, signal }: Insisting, write: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await write();
    } catch (error) {
      if (signal.aborted || tried === REPEATS) throw error;
      if (tried === 1) logFailure(deps.log, error, { batch: ref.id }, "batch not written, it is tried again");
      await new Promise<void>((resolve) => void deps.clock.after(PAUSE, resolve));
    }
  }
}
