import { decodeAnyBase64 } from "../../check/media.ts";
import type { WirePart } from "./schema.ts";

export const isMultimodal = (model: string): boolean => /multimodal|embedding-2/.test(model);

interface Limit {
  types: RegExp;
  shown: string;
  most: number;
  seconds?: number;
}

const LIMITS: Record<string, Limit> = {
  image: { types: /^image\/(png|jpeg)$/, shown: "image/png, image/jpeg", most: 6 },
  audio: { types: /^audio\/(wav|mp3|mpeg)$/, shown: "audio/wav, audio/mp3", most: 1, seconds: 180 },
  video: { types: /^video\/(mp4|quicktime|mov|mpeg)$/, shown: "video/mp4, video/mov", most: 1, seconds: 120 },
  application: { types: /^application\/pdf$/, shown: "application/pdf", most: 1 },
};

/** Seconds of a WAV or of a film by its header; nothing for a file without such a header. */
function secondsOf(bytes: Buffer): number {
  if (bytes.subarray(0, 4).toString("latin1") === "RIFF" && bytes.length > 44)
    return (bytes.length - 44) / Math.max(1, bytes.readUInt32LE(28));
  const at = bytes.indexOf("mvhd");
  if (at < 0 || at + 24 > bytes.length) return 0;
  return bytes.readUInt32BE(at + 20) / Math.max(1, bytes.readUInt32BE(at + 16));
}

/** Finds what is wrong with the media of one content, if anything is. */
export function badMedia(parts: WirePart[]): string | undefined {
  const counts: Record<string, number> = {};
  for (const { inlineData, fileData } of parts) {
    const type = inlineData?.mimeType ?? fileData?.mimeType;
    if (type === undefined) continue;
    const kind = type.split("/")[0]!;
    const limit = LIMITS[kind];
    if (!limit?.types.test(type))
      return `Unsupported MIME type: ${type}. Supported: ${limit?.shown ?? "image, audio, video, PDF"}.`;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (counts[kind] > limit.most)
      return `At most ${limit.most} ${kind} part${limit.most > 1 ? "s" : ""} can be embedded.`;
    const bytes = inlineData && decodeAnyBase64(inlineData.data);
    if (inlineData && !bytes) return "Base64 decoding failed.";
    if (limit.seconds && bytes && secondsOf(bytes) > limit.seconds)
      return `The ${kind} is longer than ${limit.seconds} seconds.`;
  }
  return undefined;
}
