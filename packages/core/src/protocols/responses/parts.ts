import type { ContentPart, Context } from "../../family/content.ts";
import { toLogprob, writeLogprob } from "../../family/logprobs.ts";
import { extraFor, nonEmptyExtraOf } from "../../ir/extra.ts";
import type { Extra, MediaPart, Source, TextPart } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import {
  endingOf,
  guessMediaType,
  isDetail,
  kindOf,
  toBytes,
  toSource,
  toUrl,
} from "../../ir/media-source.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  lookup,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";
import { toAnnotation, toCitation } from "./citations.ts";

export const protocol = "responses";

/** The server's id of an item, and its progress. */
const bookkeeping = ["id", "status"];

/** The members without a word in the IR. */
export function extrasOf(record: JsonObject, knownFields: ReadonlySet<string>): { extra?: Extra } {
  const { extra } = nonEmptyExtraOf(protocol, record, knownFields);
  const internal = bookkeeping.filter((name) => extra?.fields[name] !== undefined);
  return extra ? { extra: internal.length > 0 ? { ...extra, internal } : extra } : {};
}

/** The wire's members that a node brought along. */
export const wireFieldsOf = (node: { extra?: Extra }): JsonObject =>
  node.extra?.protocol === protocol ? node.extra.fields : {};

const textFields = new Set(["type", "text", "annotations", "logprobs"]);
const refusalFields = new Set(["type", "refusal"]);
const imageFields = new Set(["type", "image_url", "detail"]);
const fileFields = new Set(["type", "file_data", "file_url", "file_id", "filename", "detail"]);
const audioFields = new Set(["type", "input_audio"]);

/** The mark of a prefix to cache stays whole in `extra`: it knows other times than the IR. */
const cacheOf = (wire: JsonObject): { cache?: Record<string, never> } =>
  isObject(wire.prompt_cache_breakpoint) ? { cache: {} } : {};

/** The content of a message or a result. Empty text is no part. */
export function decodeContent(content: Json | undefined): { part: ContentPart; at: string }[] {
  if (typeof content === "string")
    return content === "" ? [] : [{ part: { type: "text", text: content }, at: "" }];
  if (isObject(content)) return [{ part: { type: "text", text: JSON.stringify(content) }, at: "" }];
  return toArray(content).flatMap((json, i) => {
    const part = decodePart(json);
    return part ? [{ part, at: `/${i}` }] : [];
  });
}

export function decodePart(json: Json): ContentPart | undefined {
  const wire = toObject(json);
  switch (wire.type) {
    case "input_text":
    case "output_text":
    case "text": {
      const text = toText(wire.text);
      if (text === "") return undefined;
      const citations = toArray(wire.annotations).map(toCitation);
      const logprobs = toArray(wire.logprobs).map(toLogprob);
      return {
        type: "text",
        text,
        ...(citations.length > 0 && { citations }),
        ...(logprobs.length > 0 && { logprobs }),
        ...cacheOf(wire),
        ...extrasOf(wire, textFields),
      };
    }
    case "refusal": {
      const text = toText(wire.refusal);
      return text === ""
        ? undefined
        : { type: "text", text, refusal: true, ...extrasOf(wire, refusalFields) };
    }
    case "input_image": {
      const url = textOf(isObject(wire.image_url) ? wire.image_url.url : wire.image_url);
      const id = textOf(wire.file_id);
      if (url === undefined && id === undefined) break;
      const known = url === undefined ? new Set([...imageFields, "file_id"]) : imageFields;
      return {
        type: "media",
        kind: "image",
        source: url === undefined ? { type: "file", protocol, id: id as string } : toSource(url),
        ...detailOf(wire),
        ...cacheOf(wire),
        ...extrasOf(wire, known),
      };
    }
    case "input_file":
      return decodeFile(wire) ?? { type: "opaque", protocol, value: json };
    case "input_audio": {
      const { data, format } = toObject(wire.input_audio);
      const mediaType = lookup(audioTypes, toText(format));
      if (mediaType === undefined) break;
      const source = toBytes(toText(data), mediaType);
      return { type: "media", kind: "audio", source, ...cacheOf(wire), ...extrasOf(wire, audioFields) };
    }
  }
  return { type: "opaque", protocol, value: json };
}

const audioTypes: Record<string, string> = { mp3: "audio/mpeg", wav: "audio/wav" };
const audioFormats: Record<string, string> = {
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
};

const detailOf = ({ detail }: JsonObject): Pick<MediaPart, "detail"> => (isDetail(detail) ? { detail } : {});

/** The name that bytes without one are sent under: the wire wants one, and its ending shows what they are. */
const nameless = (mediaType: string): string => `document.${endingOf(mediaType)}`;

function decodeFile(wire: JsonObject): MediaPart | undefined {
  const name = toText(wire.filename) || undefined;
  const source = fileSource(wire, name);
  if (!source) return undefined;
  const common = { source, ...detailOf(wire), ...cacheOf(wire) };
  const { extra } = extrasOf(wire, fileFields);
  const kind = source.type === "base64" ? kindOf(source.mediaType) : "document";
  if (kind !== "document") {
    // Other media than documents have parts of their own: the name keeps them files when they are written back.
    const fields = { ...extra?.fields, filename: name ?? "" };
    return { type: "media", kind, ...common, extra: { protocol, fields } };
  }
  const named =
    name !== undefined && !(source.type === "base64" && name === nameless(source.mediaType)) ? { name } : {};
  return { type: "media", kind, ...common, ...named, ...(extra && { extra }) };
}

function fileSource(wire: JsonObject, name: string | undefined): Source | undefined {
  const data = textOf(wire.file_data);
  const url = textOf(wire.file_url);
  const id = textOf(wire.file_id);
  if (data === undefined) {
    if (url !== undefined) return { type: "url", url };
    return id === undefined ? undefined : { type: "file", protocol, id };
  }
  if (/^data:/i.test(data)) return toSource(data);
  // Bare base64, seen in the wild: the bytes or the name show what it is.
  return toBytes(data, guessMediaType(data, name));
}

/** One part of content; nothing where the wire has no place for it, which is reported. */
export function encodePart(
  part: ContentPart,
  path: string,
  { lose }: Context,
  role: "user" | "assistant",
): JsonObject | undefined {
  if (part.type === "opaque") {
    if (part.protocol === protocol) return toObject(part.value);
    lose(path, "unsupported", `a part that only ${part.protocol} knows`);
    return undefined;
  }
  const { item: _, filename, ...fields } = extraFor(protocol, part.extra, lose, path);
  const wire =
    part.type === "text"
      ? encodeText(part, path, lose, role)
      : encodeMedia(part, path, lose, textOf(filename));
  if (!wire) return undefined;
  if (part.cache && fields.prompt_cache_breakpoint === undefined) lose(`${path}/cache`, "unsupported");
  const called: JsonObject = filename !== undefined && wire.type !== "input_file" ? { filename } : {};
  return { ...fields, ...called, ...wire };
}

function encodeText(part: TextPart, path: string, lose: Lose, role: "user" | "assistant"): JsonObject {
  const { text, refusal, citations = [], logprobs } = part;
  if (refusal || role === "user") {
    if (citations.length > 0) lose(`${path}/citations`, "unsupported");
    if (logprobs) lose(`${path}/logprobs`, "unsupported");
    return refusal ? { type: "refusal", refusal: text } : { type: "input_text", text };
  }
  const annotations = citations.flatMap(
    (citation, i) => toAnnotation(citation, text.length, lose, `${path}/citations/${i}`) ?? [],
  );
  return {
    type: "output_text",
    text,
    annotations: annotations as unknown as Json[],
    ...(logprobs && { logprobs: logprobs.map((token) => writeLogprob(token, [])) as unknown as Json[] }),
  };
}

/** `filename` is what bytes of another kind than documents came under when they came as a file. */
function encodeMedia(
  part: MediaPart,
  path: string,
  lose: Lose,
  filename: string | undefined,
): JsonObject | undefined {
  const { source, kind, name } = part;
  const none = (why: string): undefined => lose(path, "unsupported", why) as undefined;
  if (source.type === "file" && source.protocol !== protocol)
    return none("an upload that the target cannot read");
  const isFile = kind === "document" || (source.type === "base64" && filename !== undefined);
  if (kind === "video" && !isFile) return none("video");
  const format = source.type === "base64" ? lookup(audioFormats, source.mediaType) : undefined;
  if (kind === "audio" && !isFile && format === undefined) return none("audio other than wav and mp3 bytes");
  if (source.type !== "base64" && source.mediaType !== undefined)
    lose(`${path}/source/mediaType`, "unsupported");
  if (name !== undefined && !isFile) lose(`${path}/name`, "unsupported");
  if (kind === "audio" && !isFile && source.type === "base64") {
    if (part.detail) lose(`${path}/detail`, "unsupported");
    if (lookup(audioTypes, format as string) !== source.mediaType)
      lose(`${path}/source/mediaType`, "approximated");
    return { type: "input_audio", input_audio: { data: source.data, format: format as string } };
  }
  const detail = part.detail === "medium" || (isFile && part.detail === "original") ? "auto" : part.detail;
  if (detail !== part.detail) lose(`${path}/detail`, "approximated", `became ${detail}`);
  const detailed: JsonObject = detail ? { detail } : {};
  const url = toUrl(source);
  const id: JsonObject = source.type === "file" ? { file_id: source.id } : {};
  if (!isFile)
    return { type: "input_image", ...(url !== undefined && { image_url: url }), ...id, ...detailed };
  const called = filename ?? name ?? (source.type === "base64" ? nameless(source.mediaType) : "");
  return {
    type: "input_file",
    ...(called !== "" && { filename: called }),
    ...(url !== undefined && (source.type === "base64" ? { file_data: url } : { file_url: url })),
    ...id,
    ...detailed,
  };
}

/** A list of content in the shortest form: a plain string where it is one text and nothing else. */
export function shorten(list: JsonObject[]): Json {
  if (list.length === 0) return "";
  const [only] = list;
  const plain =
    list.length === 1 &&
    only !== undefined &&
    (only.type === "input_text" || only.type === "output_text") &&
    Object.keys(only).every((key) => textFields.has(key)) &&
    toArray(only.annotations).length === 0 &&
    only.logprobs === undefined;
  return plain ? (only?.text as string) : list;
}
