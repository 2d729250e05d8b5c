import { compact, type Json, textOf } from "@manifold-gateway/core/codec";
import { type ImageOutput, toInline } from "@manifold-gateway/core/operations";

/** A picture of a reply, whose bytes some servers write as a `data:` URL, in either member; nothing without any. */
export function pictureOf(
  base64: Json | undefined,
  url: Json | undefined,
  mediaType: string,
): ImageOutput | undefined {
  const [b64, address] = [textOf(base64), textOf(url)];
  const inline = [b64, address].find((text) => text?.slice(0, 5).toLowerCase() === "data:");
  if (inline !== undefined) {
    const source = toInline({ data: inline, mediaType });
    return { b64: source.data, mediaType: source.mediaType };
  }
  if (!b64 && !address) return undefined;
  return compact({ b64, url: address, mediaType: b64 ? mediaType : undefined }) as ImageOutput;
}
