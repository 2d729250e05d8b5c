import { show } from "../../capability/message-text.ts";
import { essenceOf, faultOfMediaType } from "../../ir/media-source.ts";
import type { MediaPart } from "../../ir/part.ts";
import type { OperationIssue } from "../codec.ts";
import type { EmbedInput, EmbedPart, EmbedRequest } from "./ir.ts";

/** The limits for one kind of media. */
export interface EmbedMediaRule {
  /** The most parts in one request. */
  max: number;
  /** Media types that are taken; absent means any. */
  types?: readonly string[];
  /** The most seconds of one part. */
  seconds?: number;
}

/** The limits of a model for its inputs. Without any, a model embeds text alone. */
export interface EmbedLimits {
  /** The most inputs in one request. Default 128. */
  inputs?: number;
  /** True if token ids reach the model: only where its provider's wire has them. */
  tokens?: boolean;
  /** The lengths of vectors that can be requested. Default any; `false`: none can. */
  dimensions?: false | { min: number; max: number };
  media?: Partial<Record<MediaPart["kind"], EmbedMediaRule>>;
}

/** The service's limits for a model that embeds media of every kind. */
export const everyMedia: EmbedLimits = {
  media: {
    image: { max: 6, types: ["image/png", "image/jpeg"] },
    audio: { max: 1, types: ["audio/wav"], seconds: 180 },
    video: { max: 1, types: ["video/mp4", "video/quicktime"], seconds: 120 },
    document: { max: 1, types: ["application/pdf"] },
  },
};

/** Limits that allow everything, so that the provider decides. */
export const noEmbedLimits: EmbedLimits = {
  inputs: Number.POSITIVE_INFINITY,
  media: Object.fromEntries(
    (["image", "audio", "video", "document"] as const).map((kind) => [
      kind,
      { max: Number.POSITIVE_INFINITY },
    ]),
  ),
};

/** The input modalities of models, by the kinds of media that stand for them. */
const modalities: Record<MediaPart["kind"], string> = {
  image: "image",
  audio: "audio",
  video: "video",
  document: "file",
};

/** The service's limits for each of a model's input modalities. */
export function embedLimitsOf(inputModalities: readonly string[]): EmbedLimits {
  const taken = Object.entries(everyMedia.media ?? {}).filter(([kind]) =>
    inputModalities.includes(modalities[kind as MediaPart["kind"]]),
  );
  return taken.length > 0 ? { media: Object.fromEntries(taken) } : {};
}

/** Facts that the caller of `checkEmbed` knows beyond the request. */
export interface EmbedKnown {
  /** Where nodes stood on the caller's wire, as `decode` traced them. */
  origins?: { get(node: object): string | undefined };
  /** The seconds that a part plays, where it has been probed. */
  seconds?(part: EmbedPart): number | undefined;
}

/** Compares a request with the limits of its model. A part that is a URL has to be checked again after it is fetched. */
export function checkEmbed(
  request: EmbedRequest,
  limits: EmbedLimits = {},
  facts: EmbedKnown = {},
): OperationIssue[] {
  const issues: OperationIssue[] = [];
  const add = (node: object, path: string, text: string): void => {
    const pointer = facts.origins?.get(node) ?? path;
    const field = pointer.slice(1).replaceAll("/", ".");
    issues.push({ path: pointer, message: `${field}: ${text} (model ${show(request.model)})` });
  };
  const { inputs } = request;
  const most = limits.inputs ?? 128;
  if (inputs.length === 0) add(inputs, "/inputs", "must not be empty");
  if (inputs.length > most)
    add(inputs, "/inputs", `at most ${most} inputs are accepted, not ${inputs.length}`);
  const ranged = faultOfDimensions(request.dimensions, limits);
  // A bare number has no place of its own: its canonical name stands for it.
  if (ranged !== undefined) add({}, "/dimensions", ranged);
  const counts = new Map<MediaPart["kind"], number>();
  for (const [i, input] of inputs.entries()) {
    const path = `/inputs/${i}`;
    const fault = faultOfInput(input, limits);
    if (fault !== undefined) add(input, path, fault);
    if ("tokens" in input) continue;
    for (const [j, part] of input.parts.entries()) {
      if (part.type === "media") counts.set(part.kind, (counts.get(part.kind) ?? 0) + 1);
      const count = part.type === "media" ? (counts.get(part.kind) ?? 0) : 0;
      const text = part.type === "media" ? faultOfMedia(part, count, limits, facts) : faultOfText(part.text);
      // An input of one empty text is one finding, at its plainer place.
      if (text !== undefined && !(fault !== undefined && part.type === "text"))
        add(part, `${path}/parts/${j}`, text);
    }
  }
  return issues;
}

const EMPTY = "must not be empty";
const faultOfText = (text: string): string | undefined => (text === "" ? EMPTY : undefined);

function faultOfDimensions(requested: number | undefined, { dimensions }: EmbedLimits): string | undefined {
  if (requested === undefined || dimensions === undefined) return undefined;
  if (dimensions === false) return "cannot be set: the model has vectors of one length";
  const { min, max } = dimensions;
  return requested >= min && requested <= max ? undefined : `must be from ${min} to ${max}, not ${requested}`;
}

function faultOfInput(input: EmbedInput, limits: EmbedLimits): string | undefined {
  if (!("tokens" in input))
    return input.parts.every((part) => part.type === "text" && part.text === "") ? EMPTY : undefined;
  if (!limits.tokens) return "token ids are not accepted, only text";
  return input.tokens.length === 0 ? EMPTY : undefined;
}

function faultOfMedia(
  part: EmbedPart & { type: "media" },
  count: number,
  limits: EmbedLimits,
  facts: EmbedKnown,
): string | undefined {
  const { kind, source } = part;
  const rule = limits.media?.[kind];
  const taken = ["text", ...Object.keys(limits.media ?? {})].join(", ");
  if (!rule) return `${kind} is not accepted, only ${taken}`;
  if (source.type === "file") return "references to uploaded files are not accepted: send the bytes inline";
  if (count > rule.max)
    return `at most ${rule.max} ${kind} ${rule.max === 1 ? "part is" : "parts are"} accepted`;
  const fault = source.mediaType === undefined ? undefined : faultOfMediaType(source.mediaType);
  if (fault !== undefined) return fault;
  const mediaType = source.mediaType === undefined ? undefined : essenceOf(source.mediaType);
  if (mediaType !== undefined && rule.types && !rule.types.includes(mediaType))
    return `the media type ${JSON.stringify(mediaType)} is not accepted, only ${rule.types.join(", ")}`;
  if (source.type === "base64" && source.data === "") return EMPTY;
  const seconds = rule.seconds === undefined ? undefined : facts.seconds?.(part);
  if (rule.seconds !== undefined && seconds !== undefined && seconds > rule.seconds)
    return `at most ${rule.seconds} seconds are accepted, not ${Math.ceil(seconds)}`;
  return undefined;
}
