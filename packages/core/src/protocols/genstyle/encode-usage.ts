import type { Usage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { ModalityCount, UsageMetadata } from "./schema.ts";

export function writeUsage(usage: Usage, lose: Lose): UsageMetadata {
  const { input, output, cacheRead, reasoning, cacheWrite, cacheWriteLong } = usage;
  if (cacheWrite) lose("/usage/cacheWrite", "unsupported");
  if (cacheWriteLong) lose("/usage/cacheWriteLong", "unsupported");
  const thoughts = reasoning === undefined ? 0 : Math.min(reasoning, output);
  const promptDetails = byModality(input, usage.audioInput, usage.imageInput);
  const candidateDetails = byModality(output - thoughts, usage.audioOutput, usage.imageOutput);
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - thoughts,
    totalTokenCount: input + output,
    ...(reasoning !== undefined && { thoughtsTokenCount: thoughts }),
    ...(cacheRead !== undefined && { cachedContentTokenCount: cacheRead }),
    ...(promptDetails && { promptTokensDetails: promptDetails }),
    ...(candidateDetails && { candidatesTokensDetails: candidateDetails }),
  };
}

function byModality(
  total: number,
  audio: number | undefined,
  image: number | undefined,
): ModalityCount[] | undefined {
  if (audio === undefined && image === undefined) return undefined;
  const text = Math.max(0, total - (audio ?? 0) - (image ?? 0));
  return [
    { modality: "TEXT", tokenCount: text },
    ...(audio === undefined ? [] : [{ modality: "AUDIO" as const, tokenCount: audio }]),
    ...(image === undefined ? [] : [{ modality: "IMAGE" as const, tokenCount: image }]),
  ];
}
