import type { JsonObject } from "@manifold-gateway/core/codec";
import type { BatchLimits } from "./limits.ts";

/** Runs requests together that came in a file. */
export interface Batches {
  /** The paths of requests that a batch of a surface may have, below the surface's prefix. */
  endpointsOf(surface: string): readonly string[];
  readonly limits: BatchLimits;
  /** Looks for work at once: a batch was made, or is to be cancelled. */
  wake(): void;
}

/** What the caller of a batch stated beside its lines. */
export interface BatchTerms {
  /** The headers of each line's request. */
  headers: Readonly<Record<string, string>>;
  /** The caller's address, which stands for that of its lines. */
  address?: string;
  /** The caller's own members, which are given back with the batch. */
  metadata?: JsonObject;
  /** The time of the batch, in the caller's words. */
  window?: string;
  /** How long the files of its answers are kept, in milliseconds. */
  retention?: number;
}
