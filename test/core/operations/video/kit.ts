import type { ImageRole, PartSource, VideoAsk, VideoPart } from "@manifold-gateway/core/operations";

const url: PartSource = { type: "url", url: "https://example.com/a" };
export const identity: PartSource = { type: "asset", id: "k1", kind: "identity" };
export const bytes = (mediaType: string): PartSource => ({ type: "base64", mediaType, data: "AAAA" });

export const text = (words = "a lighthouse"): VideoPart => ({ type: "text", text: words, at: "/content/0" });
export const image = (role: ImageRole, source: PartSource = url): VideoPart => ({
  type: "image",
  role,
  source,
  at: "",
});
export const video = (source: PartSource = url): VideoPart => ({ type: "video", source, at: "" });
export const audio = (source: PartSource = url): VideoPart => ({ type: "audio", source, at: "" });
export const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

/** An ask of parts that stand where they are listed. */
export const askOf = (parts: VideoPart[], more: Partial<VideoAsk> = {}): VideoAsk => ({
  model: "mine",
  parts: parts.map((part, index) => ({ ...part, at: `/content/${index}` })),
  ...more,
});
