import { compact, type JsonObject } from "../../json/json.ts";
import type { SpeechProduct } from "./ask.ts";
import type { SpeechMade } from "./result.ts";

/** The states of an audio job. The last two are ends. */
export const audioJobStates = ["queued", "processing", "succeeded", "failed"] as const;
export type AudioJobState = (typeof audioJobStates)[number];

/** The sources of an audio job's answer. */
export interface AudioJob {
  generationId: string;
  product: SpeechProduct;
  status: AudioJobState;
  /** Signed download link of the stored copy. */
  audioUrl?: string;
  output?: SpeechMade;
  /** True if the caller asked for a subtitle. */
  enableSubtitle?: boolean;
  /** The reason for its failure. */
  error?: string;
}

/** The audio job as callers read it: what belongs to another state or product is left out. */
export function encodeAudioJob(job: AudioJob): JsonObject {
  const { generationId, product, status, audioUrl, output } = job;
  const wire: JsonObject = { generationId, product, status };
  if (status === "failed") return { ...wire, error: job.error ?? "The generation failed." };
  if (status !== "succeeded") return wire;
  if (audioUrl !== undefined) wire.audioUrl = audioUrl;
  if (product !== "generation-with-reference" || !output) return wire;
  return compact<JsonObject>({
    ...wire,
    ...(output.seconds !== undefined && { durationSeconds: output.seconds }),
    ...(output.billedSeconds !== undefined && { originalDurationSeconds: output.billedSeconds }),
    ...(output.providerUrl !== undefined && { providerUrl: output.providerUrl }),
    ...(job.enableSubtitle &&
      output.subtitle && { subtitle: { ...output.subtitle } as unknown as JsonObject }),
  });
}
