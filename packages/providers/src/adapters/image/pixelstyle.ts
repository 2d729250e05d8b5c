import { compact, type JsonObject } from "@manifold-gateway/core/codec";
import { addressOf, type ImageAsk, pixelsOf } from "@manifold-gateway/core/operations";
import type { Call } from "../call.ts";
import { answeredImage } from "./answered.ts";
import { isSized } from "./sized.ts";

/** The names of this wire for the forms of an answer. */
const forms: Readonly<Record<string, string>> = { b64_json: "base64", url: "url" };

function encode(ask: ImageAsk, model: string): Call {
  const [width, height] = pixelsOf(ask.size) ?? [];
  const [picture] = ask.images;
  const json = compact({
    ...(ask.extra?.protocol === "chatstyle" && ask.extra.fields),
    model,
    prompt: ask.prompt,
    n: ask.numberOfImages,
    ...(width !== undefined && { width, height }),
    output_format: ask.outputFormat,
    response_format: ask.responseFormat && forms[ask.responseFormat],
    image_url: picture && addressOf(picture.source),
  } as JsonObject);
  return { method: "POST", path: "/images/generations", json };
}

function fault({ model, size, images }: ImageAsk): string | undefined {
  if (isSized(size) && !pixelsOf(size)) return `size: must be <width>x<height> for the model '${model}'`;
  return images.length > 1 ? `images: the provider of the model '${model}' takes one picture` : undefined;
}

/** Pictures of vendors that have width and height in place of a size, and edit the picture at an address. */
export const pixelstyleImage = answeredImage({ wire: "pixelstyle", encode, fault });
