import type { Loss } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";

/** Sends a call of a model to its targets, and reports what is lost. Rejects only for calls that are aborted. */
export type Send = (
  operation: "text" | "embedding" | "image" | "rerank" | "speech" | "transcription",
  wire: JsonObject,
  options: {
    abortSignal?: AbortSignal | undefined;
    headers?: Record<string, string | undefined> | undefined;
    recording?: Uint8Array;
  },
  onLoss: (loss: Loss) => void,
) => Promise<Response>;
