import { compact, type JsonObject } from "@manifold-gateway/core/codec";
import { addressOf, type ImageAsk } from "@manifold-gateway/core/operations";
import type { Call } from "../../call.ts";

/** Members of the router that the images of the chat wire do not have, but its callers may send. */
export const routerMembers = ["aspect_ratio", "resolution", "seed"] as const;

/** The call to the router that makes pictures. */
export function encode(ask: ImageAsk, model: string): Call {
  const references = ask.images.map(({ source }) => ({
    type: "image_url",
    image_url: { url: addressOf(source) ?? "" },
  }));
  const json = compact({
    ...Object.fromEntries(routerMembers.map((name) => [name, ask.extra?.fields[name]])),
    model,
    prompt: ask.prompt,
    n: ask.numberOfImages,
    size: ask.size,
    quality: ask.quality,
    background: ask.background,
    output_format: ask.outputFormat,
    output_compression: ask.outputCompression,
    input_references: references.length > 0 ? references : undefined,
  } as JsonObject);
  return { method: "POST", path: "/images", json };
}
