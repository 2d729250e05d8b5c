import { create } from "content-disposition";

const INLINE = /^(?:image|video|audio)\/(?!.*\+xml)/i;
const NAME_LENGTH = 150;

/** A name under which a file can be saved anywhere: no folders, no control characters, at most 150 characters. */
export function safeFilename(name: string): string {
  const clean = name
    .toWellFormed()
    // Control characters, and marks that reverse the direction of text: with these, an `.exe` can look like a picture.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[/\\:*?"<>|]/g, "_")
    .replace(/^[.\s]+/, "");
  return [...clean].slice(0, NAME_LENGTH).join("").trimEnd();
}

/**
 * The `content-disposition` of a download. Pictures, video and sound are shown inline, except formats that can contain
 * scripts; everything else is saved.
 */
export function contentDisposition(mediaType: string, filename?: string): string {
  const kind = INLINE.test(mediaType) ? "inline" : "attachment";
  const name = filename === undefined ? "" : safeFilename(filename);
  if (name === "") return kind;
  const fallback = name.replace(/[^\x20-\x7e]/g, "_").replaceAll("%", "_");
  return create(name, { type: kind, fallback });
}

/** Percent-encodes all but letters, digits and `-._~`, so that no parser on the way rewrites the text. */
export const encodeStrictly = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
