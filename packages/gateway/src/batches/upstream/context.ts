import type { BatchRef } from "@manifold-gateway/store";
import type { BatchDeps } from "../deps.ts";

/** What the work on a batch's provider batches has in common. */
export interface UpstreamContext {
  deps: BatchDeps;
  ref: BatchRef;
  /** The lease is lost. */
  signal: AbortSignal;
  /** Nothing further is begun. */
  stops(): boolean;
}
