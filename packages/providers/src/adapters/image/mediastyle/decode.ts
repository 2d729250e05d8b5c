import { compact, type Json, numberOf, textOf, toArray, toObject } from "@manifold-gateway/core/codec";
import type { ImageOutput, ImageResult } from "@manifold-gateway/core/operations";
import { errorOf, type WireError } from "../../job-error.ts";

/** The pictures of a reply, and the first failure, if any: each picture may fail alone. */
export function decode(body: Json): { result: ImageResult; failure?: WireError } {
  const { data, usage } = toObject(body);
  const images: ImageOutput[] = [];
  const failures: WireError[] = [];
  for (const item of toArray(data)) {
    const { b64_json, url, size, output_format, error } = toObject(item);
    const [b64, address] = [textOf(b64_json), textOf(url)];
    if (error !== undefined && error !== null) failures.push(errorOf(item));
    else if (b64 || address)
      images.push(
        compact({
          b64,
          url: address,
          size: textOf(size),
          mediaType: `image/${textOf(output_format) ?? "jpeg"}`,
        }) as ImageOutput,
      );
  }
  const { generated_images, output_tokens, total_tokens } = toObject(usage);
  const missing = failures.map(({ code, message }) => [code, message].filter(Boolean).join(": "));
  return {
    result: {
      images,
      usage: compact({
        generatedImages: numberOf(generated_images) ?? images.length,
        outputTokens: numberOf(output_tokens),
        totalTokens: numberOf(total_tokens),
      }),
      ...(missing.length > 0 && { missing }),
    },
    ...(failures[0] && { failure: failures[0] }),
  };
}
