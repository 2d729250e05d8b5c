import type { Trace } from "../../codec/caller-codec.ts";
import { audioType } from "../../family/audio-format.ts";
import type { ContentPart } from "../../family/content.ts";
import { readFileName } from "../../family/file-name.ts";
import type { CacheMark, Source, TextPart } from "../../ir/index.ts";
import { guessMediaType, isDetail, kindIn, kindOf, toBytes, toSource } from "../../ir/media-source.ts";
import { compact, isObject, type Json, type JsonObject, textOf, toObject, toText } from "../../json/json.ts";
import { extrasOf, protocol } from "./parts.ts";

export function readCache(mark: Json | undefined): { cache?: CacheMark } {
  if (!isObject(mark)) return {};
  return { cache: mark.ttl === "5m" || mark.ttl === "1h" ? { ttl: mark.ttl } : {} };
}

/**
 * The parts of a message's content. Empty text is no part; a plain string and a list of one text are alike. `readMore`
 * reads what a message may hold beside content.
 */
export function decodeContent<More extends object = never>(
  content: Json | undefined,
  pointer: string,
  trace: Trace,
  readMore?: (json: Json, pointer: string) => More | undefined,
): (ContentPart | More)[] {
  if (typeof content === "string") {
    if (content === "") return [];
    const part: TextPart = { type: "text", text: content };
    trace(part, pointer);
    return [part];
  }
  if (!Array.isArray(content)) return [];
  return content.flatMap((json, i) => {
    const part = readMore?.(json, `${pointer}/${i}`) ?? decodePart(json);
    if (part) trace(part, `${pointer}/${i}`);
    return part ? [part] : [];
  });
}

const fieldSet = (...names: string[]): Set<string> => new Set(["type", "cache_control", ...names]);
const fields = {
  text: fieldSet("text"),
  refusal: fieldSet("refusal"),
  image_url: fieldSet("image_url"),
  video_url: fieldSet("video_url"),
  audio_url: fieldSet("audio_url"),
  image: fieldSet("source"),
  input_audio: fieldSet("input_audio"),
  file: fieldSet("file"),
};

/** The kinds of media that are linked to; the last two are servers' own. */
const links = { image_url: "image", video_url: "video", audio_url: "audio" } as const;

/** A part in this wire's spelling: some clients write the parts of a response in chats. */
function respell(wire: JsonObject): JsonObject {
  switch (wire.type) {
    case "input_text":
    case "output_text":
      return { ...wire, type: "text" };
    case "input_image": {
      const { image_url, detail, ...more } = wire;
      if (image_url === undefined) return wire;
      return { ...more, type: "image_url", image_url: { ...(detail && { detail }), ...linkOf(image_url) } };
    }
    case "input_file": {
      const { filename, file_data, file_id, ...more } = wire;
      return { ...more, type: "file", file: compact({ filename, file_data, file_id } as JsonObject) };
    }
    default:
      return wire;
  }
}

export function decodePart(json: Json): ContentPart | undefined {
  const wire = respell(toObject(json));
  const cache = readCache(wire.cache_control);
  switch (wire.type) {
    case "text": {
      const text = toText(wire.text);
      return text === "" ? undefined : { type: "text", text, ...cache, ...extrasOf(wire, fields.text) };
    }
    case "refusal": {
      const text = toText(wire.refusal);
      return text === ""
        ? undefined
        : { type: "text", text, refusal: true, ...cache, ...extrasOf(wire, fields.refusal) };
    }
    case "image_url":
    case "video_url":
    case "audio_url": {
      const { url, detail } = linkOf(wire[wire.type]);
      const source = toSource(toText(url));
      return {
        type: "media",
        kind: kindIn(source, links[wire.type]),
        source,
        ...(isDetail(detail) && { detail }),
        ...cache,
        ...extrasOf(wire, fields[wire.type]),
      };
    }
    // A picture as the messages wire has it, which some clients write in chats too.
    case "image": {
      const source = blockSource(toObject(wire.source));
      if (!source) break;
      return { type: "media", kind: "image", source, ...cache, ...extrasOf(wire, fields.image) };
    }
    case "input_audio": {
      const { data, format } = toObject(wire.input_audio);
      const source = toBytes(toText(data), audioType(toText(format)));
      return { type: "media", kind: "audio", source, ...cache, ...extrasOf(wire, fields.input_audio) };
    }
    case "file": {
      const file = toObject(wire.file);
      const source = fileSource(file);
      if (!source) break;
      return {
        type: "media",
        kind: kindOf(source.mediaType),
        source,
        ...readFileName(textOf(file.filename), source),
        ...cache,
        ...extrasOf(wire, fields.file),
      };
    }
  }
  return { type: "opaque", protocol, value: json };
}

/** A link as an object, or as the bare URL that some clients send. */
const linkOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : { url: toText(value) });

function blockSource({ type, data, media_type, url }: JsonObject): Source | undefined {
  if (type === "base64") return toBytes(toText(data), toText(media_type));
  return type === "url" ? { type: "url", url: toText(url) } : undefined;
}

function fileSource(file: JsonObject): Source | undefined {
  const data = textOf(file.file_data);
  if (data === undefined) {
    const id = textOf(file.file_id);
    if (id === undefined) return undefined;
    // Clients of some proxies write the address of a file there.
    return /^https?:/i.test(id) ? { type: "url", url: id } : { type: "file", protocol, id };
  }
  if (/^(data|https?):/i.test(data)) return toSource(data);
  // Bare base64, seen in the wild: the bytes or the name show what it is.
  return toBytes(data, guessMediaType(data, textOf(file.filename)));
}
