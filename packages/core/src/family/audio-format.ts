import { essenceOf } from "../ir/media-source.ts";
import { lookup } from "../json/json.ts";

/** The formats whose name is not what their media type says. */
const formats: Readonly<Record<string, string>> = {
  mpeg: "mp3",
  wave: "wav",
  "vnd.wave": "wav",
  mp4: "m4a",
};

/** The media type of a format of `input_audio`, which some clients state as a media type. */
export function audioType(format: string): string {
  if (format === "mp3") return "audio/mpeg";
  return format.includes("/") ? format : `audio/${format}`;
}

/** The format of a media type, in the words of the wires that have formats: `m4a` of `audio/mp4`. */
export function audioFormat(mediaType: string): string {
  const name = essenceOf(mediaType).replace(/^audio\/(?:x-)?/, "");
  return lookup(formats, name) ?? name;
}
