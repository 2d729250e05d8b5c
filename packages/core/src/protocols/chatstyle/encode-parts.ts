import { audioFormat, audioType } from "../../family/audio-format.ts";
import { type ContentPart, type Context, pictureUrl } from "../../family/content.ts";
import { writeFileName } from "../../family/file-name.ts";
import { extraFor } from "../../ir/extra.ts";
import type { CacheMark, MediaPart } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { toUrl } from "../../ir/media-source.ts";
import { isObject, type Json, type JsonObject, toObject } from "../../json/json.ts";
import { protocol } from "./parts.ts";

/** Cache marks are a de-facto extension: strict servers refuse them. */
export function writeCache(mark: CacheMark | undefined, path: string, { lose, traits }: Context): JsonObject {
  if (!mark) return {};
  if (traits.extensions?.includes("cache_control"))
    return { cache_control: { type: "ephemeral", ...(mark.ttl && { ttl: mark.ttl }) } };
  lose(`${path}/cache`, "unsupported");
  return {};
}

/** The parts of a content list. What the wire cannot say is left out and reported under its path. */
export const encodeContent = (
  parts: readonly [part: ContentPart, path: string][],
  context: Context,
): Json[] =>
  parts.flatMap(([part, path]) => {
    const wire = encodePart(part, path, context);
    return wire === undefined ? [] : [wire];
  });

/** A list of content in the shortest form: a plain string where it is one text and nothing else. */
export function shorten(list: Json[]): Json {
  if (list.length === 0) return "";
  const [only] = list;
  if (list.length > 1 || !isObject(only) || only.type !== "text" || Object.keys(only).length > 2) return list;
  return only.text as Json;
}

/** Several plain texts as one; nothing where there is one or anything else among them. */
export function joinedTexts(list: Json[], between: string): string | undefined {
  const texts = list.map(toObject);
  const plain = texts.every((part) => part.type === "text" && Object.keys(part).length === 2);
  return plain && list.length > 1 ? texts.map(({ text }) => text).join(between) : undefined;
}

function encodePart(part: ContentPart, path: string, context: Context): Json | undefined {
  const { lose } = context;
  if (part.type === "opaque") {
    if (part.protocol === protocol) return part.value;
    lose(path, "unsupported", `a part that only ${part.protocol} knows`);
    return undefined;
  }
  if (part.type === "text" && part.citations) lose(`${path}/citations`, "unsupported");
  if (part.type === "text" && part.logprobs) lose(`${path}/logprobs`, "unsupported");
  const content =
    part.type === "media"
      ? encodeMedia(part, path, lose)
      : part.refusal
        ? { type: "refusal", refusal: part.text }
        : { type: "text", text: part.text };
  return (
    content && {
      ...extraFor(protocol, part.extra, lose, path),
      ...content,
      ...writeCache(part.cache, path, context),
    }
  );
}

function encodeMedia(part: MediaPart, path: string, lose: Lose): JsonObject | undefined {
  const { source, kind, name } = part;
  const detail = part.detail === "medium" ? "auto" : part.detail;
  const url = toUrl(source);
  const none = (why: string): undefined => lose(path, "unsupported", why) as undefined;
  if (source.type === "file" && (source.protocol !== protocol || kind === "image" || kind === "video"))
    return none("an upload that the target cannot read");
  if (detail && kind !== "image" && kind !== "video") lose(`${path}/detail`, "unsupported");
  else if (detail !== part.detail) lose(`${path}/detail`, "approximated");
  const isFile = kind === "document" || source.type === "file";
  if (name !== undefined && !isFile) lose(`${path}/name`, "unsupported");
  if (source.type === "url" && source.mediaType !== undefined)
    lose(`${path}/source/mediaType`, "unsupported");
  if (source.type === "file") {
    const { mediaType } = source;
    if (mediaType !== undefined) lose(`${path}/source/mediaType`, "unsupported");
    return { type: "file", file: { file_id: source.id, ...(name !== undefined && { filename: name }) } };
  }
  switch (kind) {
    case "image":
      return {
        type: "image_url",
        image_url: { url: pictureUrl(source, path, lose) as string, ...(detail && { detail }) },
      };
    case "video":
      return { type: "video_url", video_url: { url: url as string, ...(detail && { detail }) } };
    case "audio": {
      if (source.type !== "base64") return none("audio by URL");
      const format = audioFormat(source.mediaType);
      if (audioType(format) !== source.mediaType) lose(`${path}/source/mediaType`, "approximated");
      return { type: "input_audio", input_audio: { data: source.data, format } };
    }
    default:
      if (source.type !== "base64") return none("a document by URL");
      if (source.mediaType.startsWith("text/")) {
        const text = utf8(source.data);
        if (text !== undefined) lose(path, "approximated", "a text document became text");
        if (text !== undefined)
          return { type: "text", text: name === undefined ? text : `${name}\n\n${text}` };
      }
      return {
        type: "file",
        file: { filename: writeFileName(name, source, path, lose), file_data: url as string },
      };
  }
}

function utf8(data: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
