import type { JsonObject } from "@manifold-gateway/core/codec";
import type { BatchLimits } from "./limits.ts";

/** Runs the requests in a file as a batch. */
export interface Batches {
  /** The paths that lines of a surface's batches can name, below the surface's prefix. */
  endpointsOf(surface: string): readonly string[];
  readonly limits: BatchLimits;
  /** Checks at once for work, after a batch was created or cancelled. */
  wake(): void;
}

/** The members of a batch's request besides its lines. */
export interface BatchTerms {
  /** The headers of each line's request. */
  headers: Readonly<Record<string, string>>;
  /** The caller's address, which is used for each line. */
  address?: string;
  /** The caller's own members, which are returned with the batch. */
  metadata?: JsonObject;
  /** The time until it expires, in the caller's words. */
  window?: string;
  /** How long the answer files are kept, in milliseconds. */
  retention?: number;
}
