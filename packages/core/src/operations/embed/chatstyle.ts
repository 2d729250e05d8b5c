import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { extraFor, extraOf } from "../../ir/extra.ts";
import { toBytes, toSource, toUrl } from "../../ir/media-source.ts";
import type { MediaPart } from "../../ir/part.ts";
import { textOf, toObject, toText } from "../../json/json.ts";
import { array, number, string, union } from "../../schema/node.ts";
import { validator } from "../../schema/validator.ts";
import type { EmbedCodec } from "./codec.ts";
import { listReply } from "./list/reply.ts";
import { listFacts, listRequest, listSchema, type PartSpelling } from "./list/request.ts";

const protocol = "chatstyle";

/** Where each kind of media stands, in the spelling that multimodal providers of this wire share. */
const members = {
  image: "image_url",
  audio: "input_audio",
  video: "input_video",
  document: "input_file",
} as const;
const kinds = new Map(Object.entries(members).map(([kind, member]) => [member as string, kind]));
const formats: [mediaType: string, format: string][] = [
  ["audio/wav", "wav"],
  ["audio/mpeg", "mp3"],
  ["video/mp4", "mp4"],
  ["video/quicktime", "mov"],
  ["application/pdf", "pdf"],
];

const spelling: PartSpelling = {
  joins: true,
  uniform: true,
  read(part) {
    const type = toText(part.type);
    if (type === "text")
      return { type: "text", text: toText(part.text), ...extraOf(protocol, part, new Set(["type", "text"])) };
    const kind = kinds.get(type) as MediaPart["kind"] | undefined;
    if (!kind) return undefined;
    const { url, data, format } = toObject(part[type]);
    const source = toSource(textOf(url) ?? toText(data));
    const mediaType =
      formats.find((row) => row[1] === format)?.[0] ?? `${kind}/${toText(format) || "unknown"}`;
    const extra = extraOf(protocol, part, new Set(["type", type]));
    if (source.type === "base64" || kind === "image") return { type: "media", kind, source, ...extra };
    return { type: "media", kind, source: toBytes(toText(data), mediaType), ...extra };
  },
  write(part, lose, path) {
    const extra = extraFor(protocol, part.extra, lose, path);
    if (part.type === "text") return { ...extra, type: "text", text: part.text };
    const type = members[part.kind];
    const url = toUrl(part.source);
    if (url !== undefined && type === "image_url") return { ...extra, type, [type]: { url } };
    if (url === undefined || part.source.type !== "base64") {
      lose(path, "unsupported", `${part.kind} has to be inline`);
      return undefined;
    }
    const { mediaType } = part.source;
    const format = formats.find((row) => row[0] === mediaType)?.[1] ?? mediaType.replace(/^.*\//, "");
    return { ...extra, type, [type]: { data: url, format } };
  },
};

const token = number({ integer: true, min: 0 });
const schema = validator(
  listSchema(
    union(
      [string(), array(string()), array(token), array(array(token))],
      "must be a string, an array of strings, or token ids",
    ),
    ["float", "base64"],
  ),
);

/** Embeddings beside chat completions: `POST /embeddings`. */
export const chatstyleEmbed: EmbedCodec = {
  protocol,
  endpoint: () => "/embeddings",
  most: 2048,
  tokens: true,
  urls: ["image"],
  unfetched: defineUnfetched(["input", "user"], ["metadata"]),
  facts: listFacts,
  request: { schema, ...listRequest(protocol, spelling, { tokens: true }) },
  reply: listReply,
};

/** The same of vendors that embed texts alone, call the length of a vector otherwise, and refuse other members. */
export const outputstyleEmbed: EmbedCodec = {
  ...chatstyleEmbed,
  most: 1000,
  tokens: false,
  request: {
    schema,
    ...listRequest(protocol, spelling, { tokens: false, dimensions: "output_dimension", user: false }),
  },
};
