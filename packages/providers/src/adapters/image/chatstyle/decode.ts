import { compact, type Json, numberOf, textOf, toArray, toObject } from "@manifold-gateway/core/codec";
import type { ImageOutput, ImagePreview, ImageResult, ImageUsage } from "@manifold-gateway/core/operations";

/** The pictures of a unary reply. */
export function decode(body: Json): ImageResult {
  const { data, usage, background, output_format, quality, size } = toObject(body);
  const images = toArray(data).flatMap((item): ImageOutput[] => imageOf(item, textOf(output_format)));
  return compact({
    images,
    usage: { ...usageOf(usage ?? null), generatedImages: images.length },
    background: textOf(background),
    outputFormat: textOf(output_format),
    quality: textOf(quality),
    size: textOf(size),
  }) as ImageResult;
}

/** Reads one chunk of a streamed reply: a preview, or a finished picture as a result of its own. */
export function decodeChunk(chunk: Json): { preview: ImagePreview } | { result: ImageResult } | undefined {
  const wire = toObject(chunk);
  if (/\.partial_image$/.test(textOf(wire.type) ?? ""))
    return {
      preview: compact({
        b64: textOf(wire.b64_json) ?? "",
        index: numberOf(wire.partial_image_index) ?? 0,
        background: textOf(wire.background),
        outputFormat: textOf(wire.output_format),
        quality: textOf(wire.quality),
        size: textOf(wire.size),
      }) as ImagePreview,
    };
  if (/\.completed$/.test(textOf(wire.type) ?? "")) return { result: decode({ ...wire, data: [wire] }) };
  return undefined;
}

function imageOf(item: Json, format: string | undefined): ImageOutput[] {
  const { b64_json, url, revised_prompt } = toObject(item);
  const [b64, address] = [textOf(b64_json), textOf(url)];
  if (!b64 && !address) return [];
  return [
    compact({
      b64,
      url: address,
      mediaType: b64 ? `image/${format ?? "png"}` : undefined,
      revisedPrompt: textOf(revised_prompt),
    }) as ImageOutput,
  ];
}

function usageOf(usage: Json): Partial<ImageUsage> {
  const { input_tokens, output_tokens, total_tokens, ...details } = toObject(usage);
  const output = numberOf(output_tokens);
  return compact({
    inputTokens: numberOf(input_tokens),
    outputTokens: output,
    totalTokens: numberOf(total_tokens),
    inputImageTokens: numberOf(toObject(details.input_tokens_details).image_tokens),
    outputImageTokens: numberOf(toObject(details.output_tokens_details).image_tokens) ?? output,
  }) as Partial<ImageUsage>;
}
