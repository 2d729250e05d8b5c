import { compact, type Json, lookup, numberOf, textOf, toObject } from "@manifold-gateway/core/codec";
import type { VideoResult, VideoState } from "@manifold-gateway/core/operations";
import type { Told } from "../../job-error.ts";

/** A job's own status. */
export interface Said {
  state: VideoState | "expired";
  result: VideoResult;
  told: Told;
}

const states: Readonly<Record<string, Said["state"]>> = {
  pending: "queued",
  in_progress: "running",
  completed: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
};

/** Reads the status of a job. Its addresses need the provider's key, so callers cannot use them. */
export function decode(body: Json): Said {
  const { status, usage, error } = toObject(body);
  const said = toObject(usage);
  return {
    state: lookup(states, textOf(status) ?? "") ?? "running",
    result: {
      urls: [],
      ...(usage && {
        usage: compact({
          completionTokens: numberOf(said.completion_tokens),
          totalTokens: numberOf(said.total_tokens),
          usdCost: numberOf(said.cost),
          providerUsage: said,
        }),
      }),
    },
    told: toldOf(textOf(error) ?? textOf(toObject(error).message) ?? ""),
  };
}

/** Reads a job's error text, which begins with the code of the model's vendor and a colon. */
const toldOf = (message: string): Told => ({ code: /^([\w.-]+): /.exec(message)?.[1], message });
