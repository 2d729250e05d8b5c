import { toBase64 } from "../../base64.ts";
import type { Source } from "../../ir/index.ts";
import { toBytes } from "../../ir/media-source.ts";
import { toObject, toText } from "../../json/json.ts";

/** The source of an image or document block; nothing for the kinds that only this wire knows. */
export function readSource(json: unknown): Source | undefined {
  const source = toObject(json);
  switch (source.type) {
    case "base64":
      return toBytes(toText(source.data), toText(source.media_type));
    case "text":
      return {
        type: "base64",
        mediaType: toText(source.media_type) || "text/plain",
        data: toBase64(new TextEncoder().encode(toText(source.data))),
      };
    case "url":
      return { type: "url", url: toText(source.url) };
    case "file":
      return { type: "file", protocol: "msgstyle", id: toText(source.file_id) };
    default:
      return undefined;
  }
}
