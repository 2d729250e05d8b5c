import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { extraFor, extraOf } from "../../ir/extra.ts";
import { sniffMediaType, toBytes, toSource } from "../../ir/media-source.ts";
import type { MediaPart } from "../../ir/part.ts";
import { toArray, toObject, toText } from "../../json/json.ts";
import { array, nullish, object, string, union, variant } from "../../schema/node.ts";
import { type Fault, validator } from "../../schema/validator.ts";
import type { EmbedCodec } from "./codec.ts";
import { listReply } from "./list/reply.ts";
import { listFacts, listRequest, listSchema, type PartSpelling } from "./list/request.ts";

const protocol = "msgstyle";

type Row = [type: string, kind: MediaPart["kind"], form: "base64" | "url"];
/** The normalized parts. Video and documents have no URL form. */
const rows: Row[] = [
  ["imageBase64", "image", "base64"],
  ["imageUrl", "image", "url"],
  ["audioBase64", "audio", "base64"],
  ["audioUrl", "audio", "url"],
  ["videoBase64", "video", "base64"],
  ["fileBase64", "document", "base64"],
];

const isDataUrl = (data: string): boolean => /^data:/i.test(data);
/** The media type of bytes that do not say theirs. */
const guess = (type: string, data: string): string | undefined =>
  type === "fileBase64" ? "application/pdf" : sniffMediaType(data);

const textFields = new Set(["type", "text"]);
const base64Fields = new Set(["type", "data", "mediaType"]);
const urlFields = new Set(["type", "url"]);

const spelling: PartSpelling = {
  joins: false,
  uniform: false,
  read(part) {
    const type = toText(part.type);
    if (type === "text")
      return { type: "text", text: toText(part.text), ...extraOf(protocol, part, textFields) };
    const row = rows.find((candidate) => candidate[0] === type);
    if (!row) return undefined;
    const [, kind, form] = row;
    if (form === "url") {
      const extra = extraOf(protocol, part, urlFields);
      return { type: "media", kind, source: toSource(toText(part.url)), ...extra };
    }
    const data = toText(part.data);
    const mediaType = toText(part.mediaType) || guess(type, data) || "application/octet-stream";
    const source = isDataUrl(data) ? toSource(data) : toBytes(data, mediaType);
    return { type: "media", kind, source, ...extraOf(protocol, part, base64Fields) };
  },
  write(part, lose, path) {
    const extra = extraFor(protocol, part.extra, lose, path);
    if (part.type === "text") return { ...extra, type: "text", text: part.text };
    const { kind, source } = part;
    const type = rows.find((row) => row[1] === kind && row[2] === source.type)?.[0];
    if (type !== undefined && source.type === "base64")
      return { ...extra, type, data: source.data, mediaType: source.mediaType };
    if (type !== undefined && source.type === "url") return { ...extra, type, url: source.url };
    lose(path, "unsupported", `${kind} has to be inline`);
    return undefined;
  },
};

const url = string({
  pattern: /^(https?:\/\/|data:)/i,
  message: "must be an http or https URL, or a data URL",
});
const bytes = object({
  data: string({ min: 1, message: "must not be empty" }),
  mediaType: nullish(string()),
});
const content = variant(
  object({ type: string() }),
  "type",
  {
    text: object({ text: string() }),
    ...Object.fromEntries(rows.map(([type, , form]) => [type, form === "url" ? object({ url }) : bytes])),
  },
  { closed: true, message: `must be one of text, ${rows.map(([type]) => type).join(", ")}` },
);
const item = union(
  [string(), object({ content: array(content) })],
  "must be a string or { content: [parts] }",
);
const request = listSchema(
  union([item, array(item)], "must be a string, or an array of strings and { content: [parts] }"),
  ["float"],
);

/** Bytes whose media type neither stands beside them nor can be seen in them. */
function* untypedBytes(wire: unknown): Generator<Fault> {
  const { input } = toObject(wire);
  const isList = Array.isArray(input);
  for (const [i, item] of (isList ? input : [input]).entries())
    for (const [j, json] of toArray(toObject(item).content).entries()) {
      const part = toObject(json);
      const data = toText(part.data);
      const known = part.mediaType || isDataUrl(data) || guess(toText(part.type), data);
      if (part.data === undefined || known) continue;
      yield {
        path: ["input", ...(isList ? [i] : []), "content", j, "mediaType"],
        message: "is required where `data` is not a data URL",
      };
    }
}
const schema = validator(request, { faults: untypedBytes });

/** Embeddings beside messages: an extension of this service, so no provider speaks it. */
export const msgstyleEmbed: EmbedCodec = {
  protocol,
  most: 128,
  tokens: false,
  urls: ["image", "audio"],
  unfetched: defineUnfetched(["input", "user"], ["metadata"]),
  facts: listFacts,
  request: { schema, ...listRequest(protocol, spelling, { tokens: false }) },
  reply: listReply,
};
