import { compact, type Json, numberOf, textOf, toArray, toObject } from "@manifold-gateway/core/codec";
import type { ImageResult } from "@manifold-gateway/core/operations";
import { pictureOf } from "../picture-of.ts";

/** The pictures of a reply. */
export function decode(body: Json): ImageResult {
  const { data, usage } = toObject(body);
  const images = toArray(data).flatMap((item) => {
    const { b64_json, url, media_type } = toObject(item);
    return pictureOf(b64_json, url, textOf(media_type) ?? "image/png") ?? [];
  });
  const { cost, prompt_tokens, completion_tokens, total_tokens } = toObject(usage);
  return {
    images,
    usage: compact({
      generatedImages: images.length,
      inputTokens: numberOf(prompt_tokens),
      outputTokens: numberOf(completion_tokens),
      totalTokens: numberOf(total_tokens),
      usdCost: numberOf(cost),
    }),
  };
}
