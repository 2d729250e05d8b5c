import type { MediaPart } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { sniffMediaType } from "../../ir/media-source.ts";
import type { JsonObject } from "../../json/json.ts";

const images = ["image/jpeg", "image/png", "image/gif", "image/webp"];
/** Types whose bytes are text, and that can therefore be a text document. */
const TEXTUAL = /^(text\/|application\/(json|xml|yaml|x-yaml|javascript)\b)/;

/** The text that base64 bytes encode; undefined if they are not text. */
function base64ToText(data: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The block of a medium without its marks; nothing, and a loss, where the wire has none for it. */
export function writeMedia(part: MediaPart, path: string, lose: Lose): JsonObject | undefined {
  const { source, name, detail } = part;
  const kind = kindIn(part);
  const none = (why: string): undefined => lose(path, "unsupported", why) as undefined;
  if (kind === "audio" || kind === "video") return none(`${kind} is not accepted`);
  const written = writeSource({ ...part, kind }, path, lose, none);
  if (!written) return undefined;
  if (source.type !== "base64" && source.mediaType !== undefined)
    lose(`${path}/source/mediaType`, "unsupported");
  if (detail !== undefined) lose(`${path}/detail`, "unsupported");
  if (kind === "document")
    return { type: "document", source: written, ...(name !== undefined && { title: name }) };
  if (name !== undefined) lose(`${path}/name`, "unsupported");
  return { type: "image", source: written };
}

/** The kind of media that the bytes show: the server believes them rather than what is declared. */
function kindIn({ kind, source }: MediaPart): MediaPart["kind"] {
  const type = source.type === "base64" ? sniffMediaType(source.data) : undefined;
  if (type === "application/pdf") return "document";
  return type !== undefined && images.includes(type) ? "image" : kind;
}

function writeSource(
  { kind, source }: MediaPart,
  path: string,
  lose: Lose,
  none: (why: string) => undefined,
): JsonObject | undefined {
  if (source.type === "url") return { type: "url", url: source.url };
  if (source.type === "file")
    return source.protocol === "msgstyle"
      ? { type: "file", file_id: source.id }
      : none("an upload of another vendor");
  const { mediaType, data } = source;
  const become = (type: string): string => {
    if (type !== mediaType) lose(`${path}/source/mediaType`, "approximated", `became ${type}`);
    return type;
  };
  if (kind === "image") {
    const plain = mediaType === "image/jpg" ? "image/jpeg" : mediaType;
    const type = sniffMediaType(data) ?? plain;
    if (!images.includes(type)) return none(`${mediaType} is not accepted`);
    return { type: "base64", media_type: become(type), data };
  }
  const sniffed = sniffMediaType(data);
  if (sniffed !== "application/pdf" && TEXTUAL.test(mediaType)) {
    const text = base64ToText(data);
    if (text === undefined || text === "") return none("bytes that are no text");
    return { type: "text", media_type: become("text/plain"), data: text };
  }
  const type = mediaType === "application/pdf" ? mediaType : sniffed;
  if (type !== "application/pdf") return none(`${mediaType} is not accepted`);
  return { type: "base64", media_type: become(type), data };
}
