import { extraFor } from "../../ir/extra.ts";
import type { MediaPart } from "../../ir/index.ts";
import {
  kindOf,
  kindOfAddress,
  sniffMediaType,
  toBytes,
  typeOfName,
  typeOfPicture,
} from "../../ir/media-source.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  lookup,
  rest,
  textOf,
  toObject,
  toText,
} from "../../json/json.ts";
import { type Context, leftIn, protocol, toExtra } from "./parts.ts";

const partFields = new Set(["inlineData", "fileData", "mediaResolution"]);
const blobFields = new Set(["mimeType", "data"]);
const fileFields = new Set(["mimeType", "fileUri"]);

const details: [detail: NonNullable<MediaPart["detail"]>, level: string][] = [
  ["low", "MEDIA_RESOLUTION_LOW"],
  ["medium", "MEDIA_RESOLUTION_MEDIUM"],
  ["high", "MEDIA_RESOLUTION_HIGH"],
  ["original", "MEDIA_RESOLUTION_ULTRA_HIGH"],
];

/** Uploads have addresses too, but only the vendor's own servers can read those. */
const isOpen = (uri: string): boolean =>
  /^https?:/i.test(uri) && !/^https?:\/\/[^/]+\/v\d\w*\/files\//i.test(uri);

/** The media of a part; nothing where it holds none. */
export function readMedia(part: JsonObject): MediaPart | undefined {
  const { inlineData: blob, fileData: file } = part;
  const name = isObject(blob) ? "inlineData" : "fileData";
  const left = leftIn(name, part[name], name === "inlineData" ? blobFields : fileFields);
  const { detail, remaining: resolution } = readDetail(part.mediaResolution);
  const extra = toExtra({ ...rest(part, partFields), ...resolution, ...left });
  const made = { ...(detail && { detail }), ...extra };
  if (isObject(blob)) {
    const source = toBytes(toText(blob.data), toText(blob.mimeType));
    return { type: "media", kind: kindOf(source.mediaType), source, ...made };
  }
  if (!isObject(file) || toText(file.fileUri) === "") return undefined;
  const uri = toText(file.fileUri);
  const mediaType = textOf(file.mimeType);
  const typed = mediaType ? { mediaType } : {};
  const kind = mediaType ? kindOf(mediaType) : kindOfAddress(uri);
  return isOpen(uri)
    ? { type: "media", kind, source: { type: "url", url: uri, ...typed }, ...made }
    : { type: "media", kind, source: { type: "file", protocol, id: uri, ...typed }, ...made };
}

function readDetail(json: Json | undefined): { detail?: MediaPart["detail"]; remaining: JsonObject } {
  const found = details.find(([, level]) => level === toObject(json).level);
  if (found && Object.keys(toObject(json)).length === 1) return { detail: found[0], remaining: {} };
  return { remaining: json === undefined ? {} : { mediaResolution: json } };
}

/** The part of media, in a request or a reply; nothing where the target could not read it. */
export function writeMedia(
  part: MediaPart,
  path: string,
  { lose, traits }: Pick<Context, "lose" | "traits">,
) {
  const { source, detail, extra } = part;
  const data = source.type === "base64" ? writeBlob(part, path, lose) : writeFile(part, path, lose);
  if (!data) {
    const nowhere = source.type === "url" && source.url === "";
    lose(path, "unsupported", nowhere ? "it has no address" : "an upload that only another vendor can read");
    return undefined;
  }
  if (part.name !== undefined) lose(`${path}/name`, "unsupported");
  if (part.cache) lose(`${path}/cache`, "unsupported");
  const level = details.find(([word]) => word === detail)?.[1];
  // The generation that takes token budgets knows no resolution of single parts.
  const spoken = level !== undefined && traits.thinkingBy !== "budget";
  if (detail !== undefined && !spoken) lose(`${path}/detail`, "unsupported");
  const fields = extraFor(protocol, extra, lose, path);
  const written: JsonObject = { ...fields, ...data, ...(spoken && { mediaResolution: { level } }) };
  for (const name of Object.keys(data))
    written[name] = { ...toObject(fields[name]), ...toObject(data[name]) };
  return written;
}

/** Media types that the wire refuses, in its own spelling. */
const spellings: Readonly<Record<string, string>> = { "image/jpg": "image/jpeg" };

type Write = (part: MediaPart, path: string, lose: Context["lose"]) => JsonObject | undefined;

const writeBlob: Write = ({ source, kind }, path, lose) => {
  if (source.type !== "base64") return undefined;
  let mimeType = source.mediaType;
  if (mimeType === "" || mimeType.endsWith("/*"))
    mimeType = sniffMediaType(source.data) ?? `${kind === "document" ? "application" : kind}/octet-stream`;
  else if (kind === "image") mimeType = lookup(spellings, mimeType) ?? typeOfPicture(source);
  if (mimeType !== source.mediaType) lose(`${path}/source/mediaType`, "approximated", `became ${mimeType}`);
  reportKind(kind, mimeType, path, lose);
  // Some servers of other wires take an address where the wire has bytes, and their clients send it.
  const isAddress = /^https?:/i.test(source.data);
  return isAddress
    ? ({ fileData: { fileUri: source.data, mimeType } } as JsonObject)
    : { inlineData: { mimeType, data: source.data } };
};

const writeFile: Write = ({ source, kind }, path, lose) => {
  if (source.type === "base64" || (source.type === "file" && source.protocol !== protocol)) return undefined;
  const fileUri = source.type === "url" ? source.url : source.id;
  if (fileUri === "") return undefined;
  const guessed = source.mediaType ?? (kindOf(typeOfName(fileUri)) === kind ? undefined : kinds[kind]);
  if (source.mediaType === undefined && guessed !== undefined)
    lose(`${path}/source/mediaType`, "approximated", `assumed to be ${guessed}`);
  reportKind(kind, guessed ?? typeOfName(fileUri), path, lose);
  return { fileData: { fileUri, ...(guessed !== undefined && { mimeType: guessed }) } };
};

/** The assumed media type of a file when neither its type nor its name shows it. */
const kinds: Record<MediaPart["kind"], string> = {
  image: "image/jpeg",
  audio: "audio/mp3",
  video: "video/mp4",
  document: "application/pdf",
};

function reportKind(
  kind: MediaPart["kind"],
  mediaType: string | undefined,
  path: string,
  lose: Context["lose"],
): void {
  if (kindOf(mediaType) !== kind) lose(`${path}/kind`, "approximated", "its media type says otherwise");
}
