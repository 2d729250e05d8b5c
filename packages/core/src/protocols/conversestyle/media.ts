import type { MediaPart, Source } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { essenceOf, sniffMediaType } from "../../ir/media-source.ts";
import { isObject, type JsonObject, lookup, textOf, toObject, toText } from "../../json/json.ts";

/** The formats of each kind of media, with their media types; of several spellings the first is written. */
const formats: Record<MediaPart["kind"], Record<string, string>> = {
  image: { png: "image/png", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp" },
  document: {
    pdf: "application/pdf",
    txt: "text/plain",
    md: "text/markdown",
    csv: "text/csv",
    html: "text/html",
    doc: "application/msword",
    docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    xls: "application/vnd.ms-excel",
    xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  },
  video: {
    mp4: "video/mp4",
    mov: "video/quicktime",
    mkv: "video/x-matroska",
    webm: "video/webm",
    flv: "video/x-flv",
    mpeg: "video/mpeg",
    mpg: "video/mpeg",
    wmv: "video/x-ms-wmv",
    three_gp: "video/3gpp",
  },
  audio: {
    mp3: "audio/mp3",
    wav: "audio/wav",
    aac: "audio/aac",
    flac: "audio/flac",
    ogg: "audio/ogg",
    opus: "audio/opus",
    mp4: "audio/mp4",
    m4a: "audio/m4a",
    mka: "audio/x-matroska",
    webm: "audio/webm",
    pcm: "audio/pcm",
  },
};

/** Other names of media types. */
const aliases: Record<string, string> = {
  "image/jpg": "image/jpeg",
  "audio/mpeg": "audio/mp3",
  "audio/x-wav": "audio/wav",
  "text/x-markdown": "text/markdown",
};

/** Types whose bytes are text, and that can therefore be a text document. */
const TEXTUAL = /^(text\/|application\/(json|xml|yaml|x-yaml|javascript)\b)/;

/** The name of a document that has none, in the order of the request: the wire wants one. */
const unnamed = (count: number): string => `document ${count}`;
const UNNAMED = /^document \d+$/;

/** Gives names to documents in the letters that the wire takes, each once in a request. */
export function documentNamer(): (name: string | undefined, path: string, lose: Lose) => string {
  const taken = new Set<string>();
  return (name, path, lose) => {
    const plain = name
      ?.replaceAll(/[^A-Za-z0-9()[\]-]+/g, " ")
      .trim()
      .slice(0, 180);
    let chosen = plain || unnamed(taken.size + 1);
    for (let count = 2; taken.has(chosen); count++) chosen = `${plain || "document"} ${count}`;
    taken.add(chosen);
    if (name !== undefined && chosen !== name) lose(`${path}/name`, "approximated", `became "${chosen}"`);
    return chosen;
  };
}
export type DocumentNamer = ReturnType<typeof documentNamer>;

const kinds = ["image", "document", "video", "audio"] as const;

/** The kind of media that a block holds. */
export const mediaKindOf = (block: JsonObject): MediaPart["kind"] | undefined =>
  kinds.find((kind) => isObject(block[kind]));

/** The medium of a block; nothing for sources that only this wire knows. */
export function readMedia(kind: MediaPart["kind"], record: JsonObject): MediaPart | undefined {
  const source = readSource(kind, toText(record.format), toObject(record.source));
  if (!source) return undefined;
  const name = kind === "document" ? textOf(record.name) : undefined;
  const isNamed = name !== undefined && !UNNAMED.test(name);
  return { type: "media", kind, source, ...(isNamed && { name }) };
}

function readSource(kind: MediaPart["kind"], format: string, source: JsonObject): Source | undefined {
  const [member, more] = Object.keys(source);
  const mediaType = lookup(formats[kind], format);
  if (mediaType === undefined || more !== undefined) return undefined;
  if (member === "bytes" && typeof source.bytes === "string")
    return { type: "base64", mediaType, data: source.bytes };
  const { uri, ...others } = toObject(source.s3Location);
  if (member === "s3Location" && typeof uri === "string" && Object.keys(others).length === 0)
    return { type: "file", protocol: "conversestyle", id: uri, mediaType };
  return undefined;
}

/** The block of a medium; nothing, and a loss, where the wire has none for it. */
export function writeMedia(
  part: MediaPart,
  path: string,
  { lose, nameDocument }: { lose: Lose; nameDocument: DocumentNamer },
): JsonObject | undefined {
  const { kind, name, detail } = part;
  const written = writeSource(part, path, lose);
  if (!written) return undefined;
  if (detail !== undefined) lose(`${path}/detail`, "unsupported");
  if (kind === "document") return { ...written, name: nameDocument(name, path, lose) };
  if (name !== undefined) lose(`${path}/name`, "unsupported");
  return written;
}

function writeSource({ kind, source }: MediaPart, path: string, lose: Lose): JsonObject | undefined {
  const none = (why: string): undefined => lose(path, "unsupported", why) as undefined;
  if (source.type === "url") return none("the target takes bytes, and no addresses: send it in base64");
  if (source.type === "file" && source.protocol !== "conversestyle")
    return none("an upload of another vendor");
  const declared = essenceOf(source.mediaType ?? "");
  const sniffed = source.type === "base64" ? sniffMediaType(source.data) : undefined;
  const format =
    formatOf(kind, declared) ??
    formatOf(kind, sniffed ?? "") ??
    (kind === "document" && TEXTUAL.test(declared) ? "txt" : undefined);
  if (format === undefined) return none(`${source.mediaType ?? "an unknown format"} is not accepted`);
  const type = formats[kind][format];
  if (type !== source.mediaType) lose(`${path}/source/mediaType`, "approximated", `became ${type}`);
  const where: JsonObject =
    source.type === "base64" ? { bytes: source.data } : { s3Location: { uri: source.id } };
  return { format, source: where };
}

function formatOf(kind: MediaPart["kind"], mediaType: string): string | undefined {
  const plain = lookup(aliases, mediaType) ?? mediaType;
  return Object.entries(formats[kind]).find(([, type]) => type === plain)?.[0];
}
