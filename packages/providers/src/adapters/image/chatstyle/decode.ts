import { compact, type Json, numberOf, textOf, toArray, toObject } from "@manifold-gateway/core/codec";
import type { ImageOutput, ImagePreview, ImageResult, ImageUsage } from "@manifold-gateway/core/operations";
import { pictureOf } from "../picture-of.ts";

/** The pictures of a unary reply. Some servers give their addresses as paths, which are below `origin`. */
export function decode(body: Json, origin: string): ImageResult {
  const { data, usage, background, output_format, quality, size } = toObject(body);
  const images = toArray(data)
    .flatMap((item): ImageOutput[] => imageOf(item, textOf(output_format)))
    .map((image) => (image.url?.startsWith("/") ? { ...image, url: absolute(image.url, origin) } : image));
  return compact({
    images,
    usage: { ...usageOf(usage ?? null), generatedImages: images.length },
    background: textOf(background),
    outputFormat: textOf(output_format),
    quality: textOf(quality),
    size: textOf(size),
  }) as ImageResult;
}

const absolute = (path: string, origin: string): string => URL.parse(path, origin)?.href ?? path;

/** Reads one chunk of a streamed reply: a preview, or a finished picture as a result of its own. */
export function decodeChunk(
  chunk: Json,
  origin: string,
): { preview: ImagePreview } | { result: ImageResult } | undefined {
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
  if (/\.completed$/.test(textOf(wire.type) ?? ""))
    return { result: decode({ ...wire, data: [wire] }, origin) };
  return undefined;
}

function imageOf(item: Json, format: string | undefined): ImageOutput[] {
  const { b64_json, url, media_type, revised_prompt } = toObject(item);
  const picture = pictureOf(b64_json, url, textOf(media_type) ?? `image/${format ?? "png"}`);
  return picture ? [compact({ ...picture, revisedPrompt: textOf(revised_prompt) }) as ImageOutput] : [];
}

/** The usage, whose counts many servers name as those of chat completions. */
function usageOf(usage: Json): Partial<ImageUsage> {
  const counts = toObject(usage);
  const image = (details: Json | undefined): number | undefined => numberOf(toObject(details).image_tokens);
  const output = numberOf(counts.output_tokens) ?? numberOf(counts.completion_tokens);
  return compact({
    inputTokens: numberOf(counts.input_tokens) ?? numberOf(counts.prompt_tokens),
    outputTokens: output,
    totalTokens: numberOf(counts.total_tokens),
    inputImageTokens: image(counts.input_tokens_details) ?? image(counts.prompt_tokens_details),
    outputImageTokens:
      image(counts.output_tokens_details) ?? image(counts.completion_tokens_details) ?? output,
  }) as Partial<ImageUsage>;
}
