import { lookup } from "../json/json.ts";

/** The first bytes of file formats, in hexadecimal. The first match gives the type. */
const signatures: readonly (readonly [start: RegExp, mediaType: string])[] = [
  [/^89504e470d0a1a0a/, "image/png"],
  [/^ffd8ff/, "image/jpeg"],
  [/^474946383[79]61/, "image/gif"],
  [/^52494646.{8}57454250/, "image/webp"],
  [/^424d.{8}00000000/, "image/bmp"],
  [/^(49492a00|4d4d002a)/, "image/tiff"],
  [/^.{8}667479706176(6966|6973)/, "image/avif"],
  [/^.{8}66747970(68656963|68656978|6d696631|6d736631)/, "image/heic"],
  [/^.{8}6674797071742020/, "video/quicktime"],
  [/^.{8}667479704d34(41|42)/, "audio/mp4"],
  [/^.{8}66747970/, "video/mp4"],
  [/^1a45dfa3/, "video/webm"],
  [/^52494646.{8}57415645/, "audio/wav"],
  [/^4f676753/, "audio/ogg"],
  [/^664c6143/, "audio/flac"],
  [/^(494433|ff[ef][23ab])/, "audio/mpeg"],
  [/^fff[0189]/, "audio/aac"],
];

/** The number of bytes by which a type is detected. */
export const SNIFFED = 16;

/** Detects the type of a file from its first bytes alone, since names and stated types may be wrong. */
export function sniff(start: Uint8Array): string | undefined {
  const text = Array.from(start.subarray(0, SNIFFED), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return signatures.find(([pattern]) => pattern.test(text))?.[1];
}

const extensions: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/tiff": "tif",
  "video/quicktime": "mov",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
};

/** The file extension of a media type. */
export const extensionOf = (mediaType: string): string =>
  lookup(extensions, mediaType) ?? /^\w+\/([a-z0-9]{1,8})$/.exec(mediaType)?.[1] ?? "bin";
