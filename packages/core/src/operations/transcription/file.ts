import { extensionOf, sniff } from "../file-type.ts";

/** A recording's name with the extension of its type, by which some servers read it. */
export function recordingName(name: string, mediaType: string): string {
  const base = name.replace(/\.[^.]{0,10}$/, "").slice(0, 200) || "audio";
  return `${base}.${extensionOf(mediaType)}`;
}

/**
 * The media type of a recording by its first bytes, else the one that its caller states. What may be a film is sound if
 * its caller says so.
 */
export function recordingType(bytes: Uint8Array, stated: string): string | undefined {
  const essence = stated.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const type = sniff(bytes);
  if (type?.startsWith("video/") && essence === type.replace("video/", "audio/")) return essence;
  return type ?? (/^(?:audio|video)\/[\w.+-]+$/.test(essence) ? essence : undefined);
}
