import {
  compact,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toObject,
} from "@manifold-gateway/core/codec";
import type { VideoResult } from "@manifold-gateway/core/operations";
import type { WireError } from "../../job-error.ts";

/** A task's own status. */
export type TaskStatus =
  | { state: "queued" | "running" | "cancelled" | "expired" }
  | { state: "succeeded"; result: VideoResult }
  | { state: "failed"; error: WireError };

/** Reads the status of a task. An unknown one counts as running. */
export function decode(body: Json): TaskStatus {
  const { status, content, error, usage, duration } = toObject(body);
  switch (status) {
    case "queued":
    case "cancelled":
    case "expired":
      return { state: status };
    case "failed": {
      const { code, message } = toObject(error);
      return { state: "failed", error: { code: textOf(code), message: textOf(message) } };
    }
    case "succeeded": {
      const url = textOf(toObject(content).video_url);
      return {
        state: "succeeded",
        result: { urls: url ? [url] : [], usage: usageOf(toObject(usage), duration) },
      };
    }
    default:
      return { state: "running" };
  }
}

const usageOf = (usage: JsonObject, duration: Json | undefined): NonNullable<VideoResult["usage"]> =>
  compact({
    completionTokens: numberOf(usage.completion_tokens),
    totalTokens: numberOf(usage.total_tokens),
    durationSeconds: numberOf(duration),
    providerUsage: usage,
  });
