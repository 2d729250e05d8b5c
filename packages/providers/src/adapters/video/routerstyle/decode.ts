import { compact, type Json, lookup, numberOf, textOf, toObject } from "@manifold-gateway/core/codec";
import type { VideoResult, VideoState } from "@manifold-gateway/core/operations";
import type { WireError } from "../../job-error.ts";

/** A job's own status. */
export interface JobStatus {
  state: VideoState | "expired";
  result: VideoResult;
  error: WireError;
}

const states: Readonly<Record<string, JobStatus["state"]>> = {
  pending: "queued",
  in_progress: "running",
  completed: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
};

/** Reads the status of a job. Its addresses need the provider's key, so callers cannot use them. */
export function decode(body: Json): JobStatus {
  const { status, usage, error } = toObject(body);
  const reported = toObject(usage);
  return {
    state: lookup(states, textOf(status) ?? "") ?? "running",
    result: {
      urls: [],
      ...(usage && {
        usage: compact({
          completionTokens: numberOf(reported.completion_tokens),
          totalTokens: numberOf(reported.total_tokens),
          usdCost: numberOf(reported.cost),
          providerUsage: reported,
        }),
      }),
    },
    error: toWireError(textOf(error) ?? textOf(toObject(error).message) ?? ""),
  };
}

/** Reads a job's error text, which begins with the code of the model's vendor and a colon. */
const toWireError = (message: string): WireError => ({ code: /^([\w.-]+): /.exec(message)?.[1], message });
