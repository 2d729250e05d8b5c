import { compact, type JsonObject } from "@manifold-gateway/core/codec";
import type { ImageAsk } from "@manifold-gateway/core/operations";
import type { Call } from "../../call.ts";
import { ratiosOf, type Shapes, shapeOf } from "../shape.ts";
import { isSized } from "../sized.ts";

/** The shapes of this wire. */
const shapes: Shapes = {
  ratios: ratiosOf(
    ...["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"],
    ...["1:4", "4:1", "1:8", "8:1"],
  ),
  tiers: [
    { name: "512", edge: 512 },
    { name: "1K", edge: 1024 },
    { name: "2K", edge: 2048 },
    { name: "4K", edge: 4096 },
  ],
};

/** The ratio and tier nearest to a size; undefined if none is near enough. */
export function imageConfigOf(size: string): { aspectRatio: string; imageSize: string } | undefined {
  const shape = shapeOf(size, shapes);
  return shape && { aspectRatio: shape.ratio, imageSize: shape.tier };
}

/** The call that makes one picture; the wire has no parameter for a count. */
export function encode(ask: ImageAsk, model: string): Call {
  const media = ask.images.flatMap(({ source }) =>
    source.type === "base64" ? [{ inlineData: { mimeType: source.mediaType, data: source.data } }] : [],
  );
  const config = isSized(ask.size) ? imageConfigOf(ask.size) : undefined;
  const json = {
    contents: [{ role: "user", parts: [...(ask.prompt === "" ? [] : [{ text: ask.prompt }]), ...media] }],
    generationConfig: compact({ responseModalities: ["IMAGE"], imageConfig: config } as JsonObject),
  };
  return { method: "POST", path: `/models/${encodeURIComponent(model)}:generateContent`, json };
}
