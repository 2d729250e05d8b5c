import { lookup } from "../../json/json.ts";
import { extensionOf, sniff } from "../file-type.ts";

/** Other extensions by which servers read a type than its usual one. */
const others: Readonly<Record<string, readonly string[]>> = {
  "audio/mpeg": ["mpga", "mpeg"],
  "audio/mp4": ["mp4"],
};

/**
 * A recording's name with an extension of its type: by that alone many servers read it, while browsers and programs
 * name recordings `blob`, `voice.oga` or after another type. A name that has one stays as it is.
 */
export function recordingName(name: string, mediaType: string): string {
  const [, base = name, extension = ""] = /^(.*)\.([^.]{0,10})$/s.exec(name) ?? [];
  const usual = extensionOf(mediaType);
  const given = extension.toLowerCase();
  const fits = base !== "" && (given === usual || lookup(others, mediaType)?.includes(given));
  return `${base.slice(0, 200) || "audio"}.${fits ? extension : usual}`;
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
