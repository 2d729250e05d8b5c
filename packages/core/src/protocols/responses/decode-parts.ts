import { audioType } from "../../family/audio-format.ts";
import type { ContentPart } from "../../family/content.ts";
import { readFileName } from "../../family/file-name.ts";
import { toLogprob } from "../../family/logprobs.ts";
import type { MediaPart, Source } from "../../ir/index.ts";
import { guessMediaType, isDetail, kindIn, kindOf, toBytes, toSource } from "../../ir/media-source.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { toCitation } from "./citations.ts";
import { extrasOf, protocol } from "./parts.ts";

export const textFields = new Set(["type", "text", "annotations", "logprobs"]);
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

/** A part in this wire's spelling: some clients write pictures and files as in chats. */
function respell(wire: JsonObject): JsonObject {
  if (wire.type === "image_url") {
    const { url, ...more } = toObject(wire.image_url);
    return { ...wire, ...more, type: "input_image", image_url: url ?? wire.image_url ?? null };
  }
  if (wire.type !== "file" || !isObject(wire.file)) return wire;
  const { type: _, file, ...more } = wire;
  return { ...more, ...file, type: "input_file" };
}

export function decodePart(json: Json): ContentPart | undefined {
  const wire = respell(toObject(json));
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
      const source =
        url === undefined ? ({ type: "file", protocol, id: id as string } as const) : toSource(url);
      return {
        type: "media",
        kind: kindIn(source, "image"),
        source,
        ...detailOf(wire),
        ...cacheOf(wire),
        ...extrasOf(wire, known),
      };
    }
    case "input_file":
      return decodeFile(wire) ?? { type: "opaque", protocol, value: json };
    case "input_audio": {
      const { data, format } = toObject(wire.input_audio);
      const source = toBytes(toText(data), audioType(toText(format)));
      return { type: "media", kind: "audio", source, ...cacheOf(wire), ...extrasOf(wire, audioFields) };
    }
  }
  return { type: "opaque", protocol, value: json };
}

const detailOf = ({ detail }: JsonObject): Pick<MediaPart, "detail"> => (isDetail(detail) ? { detail } : {});

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
  return { type: "media", kind, ...common, ...readFileName(name, source), ...(extra && { extra }) };
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
