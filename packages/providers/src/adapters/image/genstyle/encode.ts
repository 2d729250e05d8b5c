import { compact, type JsonObject } from "@manifold-gateway/core/codec";
import { type ImageAsk, pixelsOf } from "@manifold-gateway/core/operations";
import type { Call } from "../../call.ts";
import { isSized } from "../sized.ts";

/** The ratios of this wire, with their quotients. */
const ratios = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"].map((name) => {
  const [width = 1, height = 1] = name.split(":").map(Number);
  return { name, quotient: width / height };
});

/** The size tiers of this wire, with the approximate edge of a square in pixels. */
const tiers = [
  { name: "1K", edge: 1024 },
  { name: "2K", edge: 2048 },
  { name: "4K", edge: 4096 },
];

/** The largest factor between a size and a ratio or a tier that still stands for it. */
const NEAR = { ratio: 1.15, edge: 1.42 };

/** The ratio and tier nearest to a size; undefined if none is near enough. */
export function imageConfigOf(size: string): { aspectRatio: string; imageSize: string } | undefined {
  const tier = tiers.find(({ name }) => name === size);
  if (tier) return { aspectRatio: "1:1", imageSize: tier.name };
  const pixels = pixelsOf(size);
  if (!pixels) return undefined;
  const [width, height] = pixels;
  const ratio = nearest(ratios, (one) => one.quotient, width / height, NEAR.ratio);
  const named = nearest(tiers, (one) => one.edge, Math.sqrt(width * height), NEAR.edge);
  return ratio && named && { aspectRatio: ratio.name, imageSize: named.name };
}

function nearest<T>(
  rows: readonly T[],
  of: (row: T) => number,
  wanted: number,
  limit: number,
): T | undefined {
  const far = (row: T): number => Math.max(of(row) / wanted, wanted / of(row));
  const best = rows.reduce((a, b) => (far(b) < far(a) ? b : a));
  return far(best) <= limit ? best : undefined;
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
