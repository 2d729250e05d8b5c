import type { MediaPart } from "../../ir/part.ts";
import { type EmbedLimits, everyMedia } from "./check.ts";
import type { EmbedPart, EmbedRequest, EmbedUsage } from "./ir.ts";

/** Bytes of text in a token. */
const BYTES_PER_TOKEN = 4;
/** Tokens of an image, or of a page, at the size that models scale it to. */
const TOKENS_PER_IMAGE = 258;
/** Tokens of a second: frames of a video are looked at once a second. */
const TOKENS_PER_SECOND: Partial<Record<MediaPart["kind"], number>> = { audio: 32, video: TOKENS_PER_IMAGE };
const DEFAULT_PAGES = 6;

type Kind = MediaPart["kind"] | "text";

/** Measures of parts beyond the request. */
export interface EmbedMeasures {
  /** The seconds that a part plays; unknown counts as the most that may be sent. */
  seconds?(part: EmbedPart): number | undefined;
  /** The pages of a document; unknown counts as six. */
  pages?(part: EmbedPart): number | undefined;
}

/** The tokens of a request whose answer does not count them: held before it, and billed after it. */
export function estimateEmbed(
  request: EmbedRequest,
  measures: EmbedMeasures = {},
  limits: EmbedLimits = everyMedia,
): EmbedUsage & { estimated: true } {
  const counts = new Map<Kind, number>();
  const add = (kind: Kind, tokens: number) => counts.set(kind, (counts.get(kind) ?? 0) + tokens);
  for (const input of request.inputs) {
    if ("tokens" in input) add("text", input.tokens.length);
    else
      for (const part of input.parts)
        add(part.type === "text" ? "text" : part.kind, tokensOf(part, measures, limits));
  }
  const usage: EmbedUsage & { estimated: true } = {
    input: [...counts.values()].reduce((sum, count) => sum + count, 0),
    estimated: true,
  };
  // Pages are looked at as images are, and priced so.
  const images = (counts.get("image") ?? 0) + (counts.get("document") ?? 0);
  const [audio, video] = [counts.get("audio"), counts.get("video")];
  if (images > 0) usage.imageInput = images;
  if (audio) usage.audioInput = audio;
  if (video) usage.videoInput = video;
  return usage;
}

function tokensOf(part: EmbedPart, { seconds, pages }: EmbedMeasures, limits: EmbedLimits): number {
  if (part.type === "text") return Math.ceil(new TextEncoder().encode(part.text).length / BYTES_PER_TOKEN);
  if (part.kind === "document") return TOKENS_PER_IMAGE * (pages?.(part) ?? DEFAULT_PAGES);
  const perSecond = TOKENS_PER_SECOND[part.kind];
  if (perSecond === undefined) return TOKENS_PER_IMAGE;
  const most = limits.media?.[part.kind]?.seconds ?? everyMedia.media?.[part.kind]?.seconds ?? 0;
  return Math.ceil((seconds?.(part) ?? most) * perSecond);
}
