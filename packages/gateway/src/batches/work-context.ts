import type { BatchRef } from "@manifold-gateway/store";
import type { BatchDeps } from "./deps.ts";

/** The context of work on one batch, while this process has its lease. */
export interface WorkContext {
  deps: BatchDeps;
  ref: BatchRef;
  /** Aborts when the lease is lost. */
  signal: AbortSignal;
  /** True if nothing further may be begun. */
  stops(): boolean;
}
