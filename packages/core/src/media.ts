import type { MediaPart, Source } from "./ir/part.ts";

const DATA_URL = /^data:([^,;]*)((?:;[^,;]*)*?)(;base64)?,/i;

/** The source that a URL names; `data:` URLs become bytes, their base64 untouched. */
export function toSource(url: string): Source {
  const match = DATA_URL.exec(url);
  if (!match) return { type: "url", url };
  const mediaType = match[1] || "text/plain";
  const body = url.slice(match[0].length);
  return { type: "base64", mediaType, data: match[3] ? body : percentToBase64(body) };
}

function percentToBase64(body: string): string {
  let text = body;
  try {
    text = decodeURIComponent(body);
  } catch {
    // A stray percent sign: the text stands for itself.
  }
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
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

/** The kind of media that a media type names. */
export function kindOf(mediaType: string | undefined): MediaPart["kind"] {
  const [family] = (mediaType ?? "").split("/");
  return family === "image" || family === "audio" || family === "video" ? family : "document";
}

const signatures: [prefix: string, mediaType: string][] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
  ["JVBERi0", "application/pdf"],
];

/** The media type that base64 bytes begin like, for sources that do not say or say it loosely. */
export const sniffMediaType = (data: string): string | undefined =>
  signatures.find(([prefix]) => data.startsWith(prefix))?.[1];
