import type { MediaPart } from "../../ir/index.ts";
import { sniffMediaType, toBytes, toUrl } from "../../ir/media-source.ts";
import { type JsonObject, numberOf, textOf, toText } from "../../json/json.ts";
import { extrasOf } from "./parts.ts";
import type { Delta } from "./schema.ts";

const audioFields = new Set(["data"]);

/** Sound comes without its format: the bytes show it, and streamed sound is raw samples. */
export function toAudio(audio: JsonObject): MediaPart {
  const data = toText(audio.data);
  return {
    type: "media",
    kind: "audio",
    source: toBytes(data, sniffMediaType(data) ?? "audio/pcm"),
    ...extrasOf(audio, audioFields),
  };
}

/** Media that a model made, as the members that stand beside the text; nothing where there is none for it. */
export function mediaDelta(part: MediaPart, id: string, extra: JsonObject): Delta | undefined {
  const { source, kind } = part;
  const url = toUrl(source);
  if (kind === "image" && url !== undefined)
    return { images: [{ ...extra, type: "image_url", image_url: { url } }] };
  if (kind !== "audio" || source.type !== "base64") return undefined;
  return {
    audio: {
      ...extra,
      id: textOf(extra.id) ?? `audio_${id}`,
      data: source.data,
      transcript: textOf(extra.transcript) ?? "",
      expires_at: numberOf(extra.expires_at) ?? 0,
    },
  };
}
