import { lookup } from "../json/json.ts";
import type { MediaPart, Source } from "./part.ts";

const DATA_URL = /^data:([^,;]*)((?:;[^,;]*)*?)(;base64)?,/i;

/** The source that a URL names; `data:` URLs become bytes, their base64 untouched. */
export function toSource(url: string): Source {
  const match = DATA_URL.exec(url);
  if (!match) return { type: "url", url };
  const body = url.slice(match[0].length);
  const data = match[3] ? standardBase64(body) : percentToBase64(body);
  return { type: "base64", mediaType: match[1] || (sniffMediaType(data) ?? "text/plain"), data };
}

/** Bytes in base64, with the declared type or else the one that their first bytes show. Some clients send a data URL. */
export function toBytes(base64: string, declaredType = ""): Source & { type: "base64" } {
  const whole = base64.startsWith("data:") ? toSource(base64) : undefined;
  if (whole?.type === "base64") return { ...whole, mediaType: declaredType || whole.mediaType };
  const data = standardBase64(base64);
  return { type: "base64", mediaType: declaredType || (sniffMediaType(data) ?? UNKNOWN), data };
}

/** The type of bytes of an unknown format. */
const UNKNOWN = "application/octet-stream";
const FOREIGN = /[^A-Za-z0-9+/=]/;

/**
 * Base64 as every server reads it: clients also write the URL-safe alphabet, leave the padding out or break the
 * lines. Text that is not base64 stays as it is.
 */
function standardBase64(data: string): string {
  const plain = FOREIGN.test(data)
    ? data.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/")
    : data;
  if (FOREIGN.test(plain)) return data;
  const open = plain.length % 4;
  return open > 1 && !plain.endsWith("=") ? plain.padEnd(plain.length + 4 - open, "=") : plain;
}

function percentToBase64(body: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(body)) binary += String.fromCharCode(byte);
  // Escapes stand for bytes, not for characters: the bytes need not be text.
  return btoa(
    binary.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

/** `data:` URL of bytes, or the URL as it is; nothing for an upload. */
export function toUrl(source: Source): string | undefined {
  switch (source.type) {
    case "base64":
      return `data:${source.mediaType};base64,${source.data}`;
    case "url":
      return source.url;
    default:
      return undefined;
  }
}

/** A media type without its parameters, in lower case: `image/png` of `Image/PNG; q=1`. */
export const essenceOf = (mediaType: string): string =>
  (mediaType.split(";", 1)[0] as string).trim().toLowerCase();

const LONGEST_MEDIA_TYPE = 255;

/** The reason why a text from outside is not a media type; undefined if it may be one. */
export function faultOfMediaType(mediaType: string): string | undefined {
  if (mediaType.length > LONGEST_MEDIA_TYPE)
    return `the media type has more than ${LONGEST_MEDIA_TYPE} characters`;
  return /\p{Cc}/u.test(mediaType) ? "the media type has control characters" : undefined;
}

/** The kind of media that a media type names. */
export function kindOf(mediaType: string | undefined): MediaPart["kind"] {
  const [family] = (mediaType ?? "").split("/");
  return family === "image" || family === "audio" || family === "video" ? family : "document";
}

/** Pages that models watch as the video on them. */
const VIDEO_PAGE = /^https?:\/\/(?:(?:www|m)\.)?(?:youtube\.com|youtu\.be)\//i;

/** The kind of media at an address, by its name. */
export const kindOfAddress = (url: string): MediaPart["kind"] =>
  VIDEO_PAGE.test(url) ? "video" : kindOf(typeOfName(url));

/** The kind of media that a member for one kind holds: clients put files of other kinds in those for images too. */
export function kindIn(source: Source, kind: MediaPart["kind"]): MediaPart["kind"] {
  const type = source.type === "url" ? typeOfName(source.url) : source.mediaType;
  const found = source.type === "url" ? kindOfAddress(source.url) : kindOf(type);
  return found !== "document" || type === "application/pdf" ? found : kind;
}

const signatures: [start: RegExp, mediaType: string][] = [
  [/^\x89PNG/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8/, "image/gif"],
  [/^RIFF.{4}WEBP/s, "image/webp"],
  [/^RIFF.{4}WAVE/s, "audio/wav"],
  [/^%PDF-/, "application/pdf"],
];

/** Media types by file extension. */
const endings: Record<string, string> = {
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  wav: "audio/wav",
  mp3: "audio/mp3",
  flac: "audio/flac",
  ogg: "audio/ogg",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
};

/** The media type for the extension of a file name or of a URL's path. */
export function typeOfName(name: string): string | undefined {
  const ending = /\.(\w+)(?:[?#]|$)/.exec(name)?.[1]?.toLowerCase() ?? "";
  return lookup(endings, ending);
}

/** The file extension for a media type. */
export const endingOf = (mediaType: string): string | undefined =>
  Object.entries(endings).find(([, type]) => type === mediaType)?.[0];

/** Guesses the media type of base64 bytes from their content and their file name. */
export const guessMediaType = (data: string, name = ""): string =>
  sniffMediaType(data) ?? typeOfName(name) ?? "application/pdf";

const details = ["low", "medium", "high", "auto", "original"] as const;

/** A level of detail that media may be looked at with. */
export const isDetail = (value: unknown): value is (typeof details)[number] =>
  details.includes(value as (typeof details)[number]);

/** The media type of a picture: that of its bytes where its source only declares that it is a file. */
export function typeOfPicture({ mediaType, data }: Source & { type: "base64" }): string {
  const shown = mediaType.startsWith("image/") ? undefined : sniffMediaType(data);
  return shown?.startsWith("image/") ? shown : mediaType;
}

/** The media type that the first base64 bytes show, for sources that declare none or an inexact one. */
export function sniffMediaType(data: string): string | undefined {
  try {
    const start = atob(data.slice(0, 16));
    return signatures.find(([signature]) => signature.test(start))?.[1];
  } catch {
    return undefined;
  }
}
