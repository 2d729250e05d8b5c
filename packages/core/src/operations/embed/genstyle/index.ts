import { noTrace, type Trace } from "../../../codec/caller-codec.ts";
import { defineUnfetched } from "../../../codec/fetched-addresses.ts";
import { bothCasings } from "../../../codec/snake-case.ts";
import { extraFor, extraOf } from "../../../ir/extra.ts";
import type { Lose } from "../../../ir/loss.ts";
import { kindOf, toBytes } from "../../../ir/media-source.ts";
import { toCount } from "../../../ir/usage.ts";
import {
  compact,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  rest,
  toArray,
  toObject,
  toText,
} from "../../../json/json.ts";
import type { EmbedCodec } from "../codec.ts";
import type { EmbedInput, EmbedPart, EmbedReply, EmbedRequest } from "../ir.ts";
import { toVector } from "../vector.ts";
import { dimensionsOf, embedItemsOf, facts, member, nativeConfigOf, partsOf } from "./fields.ts";
import { providerSchema, schema } from "./schema.ts";

const protocol = "genstyle";
const fields = new Set(
  bothCasings(["model", "content", "contents", "config", "outputDimensionality", "requests"]),
);
const lengths = new Set(bothCasings(["outputDimensionality"]));
const natives = new Set(bothCasings(["embedContentConfig"]));
/** A record whose native settings are without the length of vectors, and gone where they had nothing else. */
function withoutLength(record: JsonObject): JsonObject {
  const left = rest(nativeConfigOf(record), lengths);
  return { ...rest(record, natives), ...(left && { embedContentConfig: left }) };
}
const partFields = new Set(bothCasings(["text", "inlineData", "fileData"]));

function readPart(value: Json): EmbedPart | undefined {
  const part = toObject(value);
  const extra = extraOf(protocol, part, partFields);
  if (typeof part.text === "string") return { type: "text", text: part.text, ...extra };
  const inline = member(part, "inlineData");
  if (isObject(inline)) {
    const source = toBytes(toText(inline.data), toText(member(inline, "mimeType")));
    return { type: "media", kind: kindOf(source.mediaType), source, ...extra };
  }
  const file = member(part, "fileData");
  if (!isObject(file)) return undefined;
  const mediaType = toText(member(file, "mimeType"));
  const id = toText(member(file, "fileUri"));
  const source = {
    type: "file" as const,
    protocol: "genstyle" as const,
    id,
    ...(mediaType && { mediaType }),
  };
  return { type: "media", kind: kindOf(mediaType), source, ...extra };
}

function writePart(part: EmbedPart, lose: Lose, path: string): JsonObject | undefined {
  const extra = extraFor(protocol, part.extra, lose, path);
  if (part.type === "text") return { ...extra, text: part.text };
  const { source, kind } = part;
  if (source.type === "base64")
    return { ...extra, inlineData: { mimeType: source.mediaType, data: source.data } };
  if (source.type === "file" && source.protocol === protocol) {
    const { id, mediaType } = source;
    return {
      ...extra,
      fileData: compact<JsonObject>({ ...(mediaType && { mimeType: mediaType }), fileUri: id }),
    };
  }
  lose(path, "unsupported", `${kind} has to be inline`);
  return undefined;
}

function decode(wire: JsonObject, trace: Trace = noTrace): EmbedRequest {
  const items = embedItemsOf(wire);
  const batch = wire.requests !== undefined && wire.requests !== null;
  const inputs = items.map(({ path, record, config, field, content }): EmbedInput => {
    const place = path.map((key) => `/${key}`).join("");
    const pointer = `${place}/${field}`;
    const parts = partsOf(content).flatMap((value, i) => {
      const part = readPart(value) ?? [];
      trace(part, `${pointer}/parts/${i}`);
      return part;
    });
    const { extra } = batch ? extraOf(protocol, { ...config, ...withoutLength(record) }, fields) : {};
    const input = { parts, ...(extra && { extra }) };
    trace(input, pointer);
    // These members stand beside the content.
    if (extra) trace(extra, place);
    return input;
  });
  trace(inputs, batch ? "/requests" : "/contents");
  const top = { ...toObject(wire.config), ...withoutLength(wire) };
  const model = toText(wire.model) || toText(items[0]?.record.model);
  const dimensions = items.map(dimensionsOf).find((value) => value !== undefined);
  return compact<EmbedRequest>({
    model: model.replace(/^models\//, ""),
    inputs,
    ...(batch && { batch: true }),
    dimensions: numberOf(dimensions ?? member(top, "outputDimensionality")),
    ...extraOf(protocol, top, fields),
  });
}

function encode(request: EmbedRequest, lose: Lose): JsonObject {
  const model = `models/${request.model}`;
  const { dimensions } = request;
  const requests = request.inputs.map((input, i): JsonObject => {
    const path = `/inputs/${i}`;
    if ("tokens" in input) lose(path, "unsupported", "the target has no token ids");
    const { parts, extra } = "tokens" in input ? { parts: [], extra: undefined } : input;
    return {
      ...extraFor(protocol, extra, lose, path),
      model,
      content: { parts: parts.flatMap((part, j) => writePart(part, lose, `${path}/parts/${j}`) ?? []) },
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    };
  });
  if (request.user !== undefined) lose("/user", "unsupported");
  const extra = extraFor(protocol, request.extra, lose, "");
  return isBatch(request) ? { ...extra, requests } : { ...extra, ...requests[0] };
}

const isBatch = (request: EmbedRequest): boolean => request.batch === true || request.inputs.length !== 1;

/** Embeddings beside generate-content: one vector by `:embedContent`, several by `:batchEmbedContents`. */
export const genstyleEmbed: EmbedCodec = {
  protocol,
  endpoint: (request) =>
    `/models/${request.model}:${isBatch(request) ? "batchEmbedContents" : "embedContent"}`,
  most: 100,
  tokens: false,
  urls: [],
  unfetched: defineUnfetched(["contents", "displayName", "display_name"], ["labels"]),
  facts,
  request: { schema, decode, encode },
  reply: {
    decode(body) {
      const { embedding, embeddings, usageMetadata } = toObject(body);
      const items =
        embeddings === undefined ? (embedding === undefined ? [] : [embedding]) : toArray(embeddings);
      const input = toCount(toObject(usageMetadata).promptTokenCount);
      return compact<EmbedReply>({
        vectors: items.map((item) => toVector(toObject(item).values)),
        ...(input !== undefined && { usage: { input } }),
      });
    },
    encode(reply, request): JsonObject {
      const embeddings = reply.vectors.map((values) => ({ values }));
      return isBatch(request) ? { embeddings } : { embedding: embeddings[0] ?? { values: [] } };
    },
  },
};

/** The same for callers of a library: with what only the service refuses. */
export const genstyleFullEmbed: EmbedCodec = {
  ...genstyleEmbed,
  request: { ...genstyleEmbed.request, schema: providerSchema },
};
