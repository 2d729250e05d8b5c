import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { extraFor, extraOf } from "../../ir/extra.ts";
import type { Lose } from "../../ir/loss.ts";
import { toSource, toUrl } from "../../ir/media-source.ts";
import type { MediaPart } from "../../ir/part.ts";
import { compact, type Json, type JsonObject, numberOf, toArray, toObject, toText } from "../../json/json.ts";
import { chatstyleEmbed } from "./chatstyle.ts";
import type { EmbedCodec } from "./codec.ts";
import type { EmbedInput, EmbedPart, EmbedRequest } from "./ir.ts";

/** The wire is a member of the chat family: its providers speak both. */
const protocol = "chatstyle";
const fields = new Set(["model", "input", "dimensions", "encoding_format"]);
const members = { image: "image_url", video: "video_url" } as const;
const kinds = new Map<string, MediaPart["kind"]>(
  Object.entries(members).map(([kind, member]) => [member, kind as MediaPart["kind"]]),
);

/** Plain texts have an endpoint that answers many of them at once. */
const isPlain = (input: EmbedInput): boolean =>
  "tokens" in input || (input.parts.length === 1 && input.parts[0]?.type === "text");
const isText = (request: EmbedRequest): boolean => request.inputs.every(isPlain);

function readPart(value: Json): EmbedPart | undefined {
  const part = toObject(value);
  const type = toText(part.type);
  if (type === "text")
    return { type, text: toText(part.text), ...extraOf(protocol, part, new Set(["type", "text"])) };
  const kind = kinds.get(type);
  if (kind === undefined) return undefined;
  const source = toSource(toText(toObject(part[type]).url));
  return { type: "media", kind, source, ...extraOf(protocol, part, new Set(["type", type])) };
}

function writePart(part: EmbedPart, lose: Lose, path: string): JsonObject | undefined {
  const extra = extraFor(protocol, part.extra, lose, path);
  if (part.type === "text") return { ...extra, type: "text", text: part.text };
  const type = part.kind === "image" || part.kind === "video" ? members[part.kind] : undefined;
  const url = toUrl(part.source);
  if (type !== undefined && url !== undefined) return { ...extra, type, [type]: { url } };
  lose(path, "unsupported", `only text, image and video have a place, not ${part.kind}`);
  return undefined;
}

/**
 * Embeddings of text, images and video together: one combined vector a call. Requests of plain texts go to the
 * list endpoint of the same provider, many a call.
 */
export const mediastyleEmbed: EmbedCodec = {
  protocol,
  endpoint: (request) => (isText(request) ? "/embeddings" : "/embeddings/multimodal"),
  most: 1,
  mostOf: (request) => (isText(request) ? 128 : 1),
  tokens: false,
  urls: ["image", "video"],
  unfetched: defineUnfetched(["input", "user"], ["metadata"]),
  facts: chatstyleEmbed.facts,
  request: {
    schema: chatstyleEmbed.request.schema,
    decode(wire: JsonObject, trace: Trace = noTrace): EmbedRequest {
      const parts = toArray(wire.input);
      if (
        parts.length === 0 ||
        !parts.every((part) => kinds.has(toText(toObject(part).type)) || toObject(part).type === "text")
      )
        return chatstyleEmbed.request.decode(wire, trace);
      const input: EmbedInput = { parts: parts.flatMap((part) => readPart(part) ?? []) };
      return compact<EmbedRequest>({
        model: toText(wire.model),
        inputs: [input],
        dimensions: numberOf(wire.dimensions),
        ...extraOf(protocol, wire, fields),
      });
    },
    encode(request: EmbedRequest, lose: Lose): JsonObject {
      if (isText(request)) return chatstyleEmbed.request.encode(request, lose);
      const [input, ...others] = request.inputs;
      for (const i of others.keys()) lose(`/inputs/${i + 1}`, "unsupported", "one input is embedded a call");
      if (request.user !== undefined) lose("/user", "unsupported");
      const parts = input && "parts" in input ? input.parts : [];
      return {
        ...extraFor(protocol, request.extra, lose, ""),
        model: request.model,
        input: parts.flatMap((part, j) => writePart(part, lose, `/inputs/0/parts/${j}`) ?? []),
        ...(request.dimensions !== undefined && { dimensions: request.dimensions }),
        encoding_format: "float",
      };
    },
  },
  reply: chatstyleEmbed.reply,
};
