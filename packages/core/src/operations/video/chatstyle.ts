import { compact, type JsonObject, lookup } from "../../json/json.ts";
import type { ParamNames } from "../ask-params.ts";
import type { VideoAsk, VideoPart, VideoResult, VideoState } from "./ir.ts";
import { type ChatstyleVideoBody, chatstyleSizes } from "./schema.ts";

/** This wire's names for parameters that it calls otherwise. */
export const chatstyleVideoNames: ParamNames = { duration: "/seconds", resolution: "/size", ratio: "/size" };

/** A chat-style request as an ask. */
export function decodeChatstyleVideo({
  model,
  prompt,
  seconds,
  size,
  input_reference,
}: ChatstyleVideoBody): VideoAsk {
  const parts: VideoPart[] = [{ type: "text", text: prompt, at: "/prompt" }];
  const url = input_reference?.image_url;
  if (url !== undefined)
    parts.push({
      type: "image",
      role: "referenceImage",
      source: { type: "url", url },
      at: "/input_reference/image_url",
    });
  return compact({ model, parts, duration: seconds, ...lookup(chatstyleSizes, size ?? "") }) as VideoAsk;
}

/** The source of a chat-style job. */
export interface VideoJob {
  id: string;
  /** Where to ask again, on our own host. */
  pollingUrl: string;
  state: VideoState;
  /** Its time ran out. */
  expired?: boolean | undefined;
  generationId?: string | undefined;
  /** Where its outputs are, on our own host. */
  urls?: string[] | undefined;
  result?: VideoResult | undefined;
  error?: string | undefined;
}

const statuses: Record<VideoState, string> = {
  // Helpers of the SDKs go on asking for the states that they know, and `pending` is none of them.
  queued: "in_progress",
  running: "in_progress",
  succeeded: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

/** A job as this wire shows it. */
export function encodeChatstyleVideo(job: VideoJob): JsonObject {
  const { state, result } = job;
  return compact({
    id: job.id,
    polling_url: job.pollingUrl,
    status: state === "failed" && job.expired ? "expired" : statuses[state],
    generation_id: job.generationId,
    ...(state === "succeeded" && { unsigned_urls: job.urls, usage: usageOf(result) }),
    ...(state === "failed" && { error: job.error ?? "The generation failed." }),
  } as JsonObject);
}

/** The counts that are ours to show; what a provider was paid is not among them. */
function usageOf(result: VideoResult | undefined): JsonObject | undefined {
  if (!result?.usage) return undefined;
  const { completionTokens, totalTokens, durationSeconds } = result.usage;
  return compact({
    completion_tokens: completionTokens,
    total_tokens: totalTokens,
    duration_seconds: durationSeconds,
  } as JsonObject);
}
