import { audioFormat, audioType } from "../../family/audio-format.ts";
import { type ContentPart, type Context, pictureUrl } from "../../family/content.ts";
import { writeFileName } from "../../family/file-name.ts";
import { writeLogprob } from "../../family/logprobs.ts";
import { extraFor } from "../../ir/extra.ts";
import type { MediaPart, TextPart } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { toUrl } from "../../ir/media-source.ts";
import { type Json, type JsonObject, textOf, toArray, toObject } from "../../json/json.ts";
import { toAnnotation } from "./citations.ts";
import { textFields } from "./decode-parts.ts";
import { protocol } from "./parts.ts";

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
  if (kind === "audio" && !isFile && source.type !== "base64") return none("audio by URL");
  if (source.type !== "base64" && source.mediaType !== undefined)
    lose(`${path}/source/mediaType`, "unsupported");
  if (name !== undefined && !isFile) lose(`${path}/name`, "unsupported");
  if (kind === "audio" && !isFile && source.type === "base64") {
    if (part.detail) lose(`${path}/detail`, "unsupported");
    const format = audioFormat(source.mediaType);
    if (audioType(format) !== source.mediaType) lose(`${path}/source/mediaType`, "approximated");
    return { type: "input_audio", input_audio: { data: source.data, format } };
  }
  const detail = part.detail === "medium" || (isFile && part.detail === "original") ? "auto" : part.detail;
  if (detail !== part.detail) lose(`${path}/detail`, "approximated", `became ${detail}`);
  const detailed: JsonObject = detail ? { detail } : {};
  const url = isFile ? toUrl(source) : pictureUrl(source, path, lose);
  const id: JsonObject = source.type === "file" ? { file_id: source.id } : {};
  if (!isFile)
    return { type: "input_image", ...(url !== undefined && { image_url: url }), ...id, ...detailed };
  const called =
    filename ?? (source.type === "base64" ? writeFileName(name, source, path, lose) : (name ?? ""));
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
