import {
  compact,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
} from "@manifold-gateway/core/codec";
import type { ImageOutput, ImageResult, ImageUsage } from "@manifold-gateway/core/operations";
import type { WireError } from "../../job-error.ts";

/** The pictures of a reply; without any, the failure that its text describes. */
export function decode(body: Json): { result: ImageResult; failure?: WireError } {
  const { candidates, promptFeedback, usageMetadata } = toObject(body);
  const all = toArray(candidates).map(toObject);
  const parts = all.flatMap(({ content }) => toArray(toObject(content).parts).map(toObject));
  // Thoughts may hold drafts of the picture.
  const images = parts.filter(({ thought }) => thought !== true).flatMap(imageOf);
  const usage = { ...usageOf(toObject(usageMetadata)), generatedImages: images.length };
  if (images.length > 0) return { result: { images, usage } };
  const code = textOf(toObject(promptFeedback).blockReason) ?? textOf(all[0]?.finishReason);
  const message =
    textOf(all[0]?.finishMessage) ?? (parts.map(({ text }) => textOf(text) ?? "").join("") || undefined);
  return { result: { images, usage }, failure: { code, message } };
}

function imageOf({ inlineData, inline_data }: JsonObject): ImageOutput[] {
  const { data, mimeType, mime_type } = toObject(inlineData ?? inline_data);
  const b64 = textOf(data);
  return b64 ? [{ b64, mediaType: textOf(mimeType) ?? textOf(mime_type) ?? "image/png" }] : [];
}

function usageOf(usage: JsonObject): Partial<ImageUsage> {
  const image = (details: Json | undefined): number | undefined =>
    numberOf(toObject(toArray(details).find((row) => toObject(row).modality === "IMAGE")).tokenCount);
  const output = numberOf(usage.candidatesTokenCount);
  const thoughts = numberOf(usage.thoughtsTokenCount) ?? 0;
  return compact({
    inputTokens: numberOf(usage.promptTokenCount),
    outputTokens: output === undefined ? undefined : output + thoughts,
    totalTokens: numberOf(usage.totalTokenCount),
    inputImageTokens: image(usage.promptTokensDetails),
    outputImageTokens: image(usage.candidatesTokensDetails) ?? output,
  }) as Partial<ImageUsage>;
}
