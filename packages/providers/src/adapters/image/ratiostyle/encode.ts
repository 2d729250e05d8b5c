import { compact, type JsonObject } from "@manifold-gateway/core/codec";
import { addressOf, type ImageAsk } from "@manifold-gateway/core/operations";
import type { Call } from "../../call.ts";
import { ratiosOf, type Shapes, shapeOf } from "../shape.ts";
import { isSized } from "../sized.ts";

const shapes: Shapes = {
  ratios: ratiosOf("1:1", "2:3", "3:2", "3:4", "4:3", "9:16", "16:9", "1:2", "2:1"),
  tiers: [
    { name: "1k", edge: 1024 },
    { name: "2k", edge: 2048 },
  ],
};

/** The shape of a size on this wire; undefined if none is near enough. */
export const shapeOfSize = (size: string): ReturnType<typeof shapeOf> => shapeOf(size, shapes);

/** The call that makes pictures: from text alone a generation, from other pictures an edit. Both are JSON. */
export function encode(ask: ImageAsk, model: string): Call {
  const shape = isSized(ask.size) ? shapeOfSize(ask.size) : undefined;
  const pictures = ask.images.map(({ source }) => ({ url: addressOf(source) ?? "", type: "image_url" }));
  const json = compact({
    // The wire's own words for a shape say more than a size.
    ...(shape && { aspect_ratio: shape.ratio, resolution: shape.tier }),
    ...(ask.extra?.protocol === "chatstyle" && ask.extra.fields),
    model,
    prompt: ask.prompt,
    n: ask.numberOfImages,
    response_format: ask.responseFormat,
    user: ask.user,
    ...(pictures.length === 1 ? { image: pictures[0] } : pictures.length > 1 && { images: pictures }),
  } as JsonObject);
  return { method: "POST", path: pictures.length === 0 ? "/images/generations" : "/images/edits", json };
}
