import { compact, type Json, numberOf, textOf, toArray, toObject } from "@manifold-gateway/core/codec";
import type { ImageOutput, ImageResult } from "@manifold-gateway/core/operations";

/** The pictures of a reply. */
export function decode(body: Json): ImageResult {
  const { data, usage } = toObject(body);
  const images = toArray(data).flatMap((item): ImageOutput[] => {
    const { b64_json, url, media_type } = toObject(item);
    const [b64, address] = [textOf(b64_json), textOf(url)];
    if (!b64 && !address) return [];
    return [
      compact({ b64, url: address, mediaType: textOf(media_type) ?? (b64 && "image/png") }) as ImageOutput,
    ];
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
