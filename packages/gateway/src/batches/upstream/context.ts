import type { BatchRef } from "@manifold-gateway/store";
import type { BatchDeps } from "../deps.ts";

/** The context of work on the upstream batches of one batch. */
export interface UpstreamContext {
  deps: BatchDeps;
  ref: BatchRef;
  /** Aborts when the lease is lost. */
  signal: AbortSignal;
  /** True if nothing further may be begun. */
  stops(): boolean;
}
