import { compact, type JsonObject, textOf } from "@manifold-gateway/core/codec";
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

/** Members that the images of the chat wire do not have, but its callers may send: the words of this wire. */
export const genstyleMembers = ["aspect_ratio", "resolution"] as const;

/** The ratio and tier nearest to a size; undefined if none is near enough. */
export const shapeOfSize = (size: string): ReturnType<typeof shapeOf> => shapeOf(size, shapes);

/** The shape of the picture; words of the wire say more than a size. */
function imageConfigOf({ size, extra }: ImageAsk): JsonObject {
  const shape = isSized(size) ? shapeOfSize(size) : undefined;
  const { aspect_ratio, resolution } = extra?.fields ?? {};
  return compact<JsonObject>({
    aspectRatio: textOf(aspect_ratio) ?? shape?.ratio,
    // The wire takes `1K`, and makes the smallest picture of `1k`.
    imageSize: textOf(resolution)?.toUpperCase() ?? shape?.tier,
  } as JsonObject);
}

/** The call that makes one picture; the wire has no parameter for a count. */
export function encode(ask: ImageAsk, model: string): Call {
  const media = ask.images.flatMap(({ source }) =>
    source.type === "base64" ? [{ inlineData: { mimeType: source.mediaType, data: source.data } }] : [],
  );
  const imageConfig = imageConfigOf(ask);
  const json = {
    contents: [{ role: "user", parts: [...(ask.prompt === "" ? [] : [{ text: ask.prompt }]), ...media] }],
    generationConfig: {
      responseModalities: ["IMAGE"],
      ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
    },
  };
  return { method: "POST", path: `/models/${encodeURIComponent(model)}:generateContent`, json };
}
