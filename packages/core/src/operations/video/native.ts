import { compact, type Json, type JsonObject, lookup } from "../../json/json.ts";
import { type AssetSource, audioTypes, toInline } from "../content.ts";
import { withoutSecrets } from "../redact-links.ts";
import type { ImageRole, VideoAsk, VideoPart, VideoResult, VideoState } from "./ir.ts";
import type { NativeVideoBody } from "./schema.ts";

type Part = NativeVideoBody["content"][number];

/** A native request as an ask. */
export function decodeNativeVideo({ content, ...params }: NativeVideoBody): VideoAsk {
  return compact({
    ...params,
    parts: content.map((part, index) => toPart(part, `/content/${index}`)),
  }) as VideoAsk;
}

const asset = (id: string, kind: AssetSource["kind"]): AssetSource => ({ type: "asset", id, kind });

const roleOf = (role: ImageRole | undefined): { role: ImageRole; roleAssumed?: true } =>
  role ? { role } : { role: "referenceImage", roleAssumed: true };

function toPart(part: Part, at: string): VideoPart {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, at };
    case "imageUrl":
      return { type: "image", ...roleOf(part.role), source: { type: "url", url: part.url }, at };
    case "imageBase64":
      return { type: "image", ...roleOf(part.role), source: toInline(part), at };
    case "imageAssetId":
      return { type: "image", ...roleOf(part.role), source: asset(part.assetId, "output"), at };
    case "kycImageAssetId":
      return { type: "image", role: "referenceImage", source: asset(part.assetId, "identity"), at };
    case "videoUrl":
      return { type: "video", source: { type: "url", url: part.url }, at };
    case "videoBase64":
      return { type: "video", source: toInline(part), at };
    case "videoAssetId":
      return { type: "video", source: asset(part.assetId, "output"), at };
    case "kycVideoAssetId":
      return { type: "video", source: asset(part.assetId, "identity"), at };
    case "audioUrl":
      return { type: "audio", source: { type: "url", url: part.url }, at };
    case "audioBase64": {
      const source = toInline(part);
      return {
        type: "audio",
        source: { ...source, mediaType: lookup(audioTypes, source.mediaType) ?? source.mediaType },
        at,
      };
    }
    case "kycAudioAssetId":
      return { type: "audio", source: asset(part.assetId, "identity"), at };
  }
}

/** The length of inline media that a record keeps. */
const MAX_RECORDED_LENGTH = 64;

/** Content as a task keeps and shows it: in order, with inline media cut short and secrets removed from addresses. */
export function storableContent(content: NativeVideoBody["content"]): JsonObject[] {
  return content.map((part) => {
    if ("data" in part && part.data.length > MAX_RECORDED_LENGTH)
      return {
        ...part,
        data: `${part.data.slice(0, MAX_RECORDED_LENGTH)}…(${part.data.length} characters)`,
      } as JsonObject;
    if ("url" in part) return { ...part, url: withoutSecrets(part.url) } as JsonObject;
    return { ...part } as JsonObject;
  });
}

/** The source of a task. */
export interface VideoTask {
  taskId: string;
  generationId: string;
  providerId: string;
  state: VideoState;
  model: string;
  /** The content that `storableContent` left. */
  content: Json[];
  /** The content is no longer stored. */
  contentKept?: false | undefined;
  result?: VideoResult | undefined;
  error?: string | undefined;
  /** ISO timestamps. */
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
}

/** A task as the native interface shows it. */
export function encodeNativeVideo({ state, result, error, ...task }: VideoTask): JsonObject {
  const { urls = [], downloadUrl, assetId, usage } = result ?? {};
  return compact({
    ...task,
    status: state,
    ...(state === "succeeded" && { videoUrl: urls[0] ?? downloadUrl, downloadUrl, assetId }),
    ...(usage && { usage: compact({ ...usage } as JsonObject) }),
    ...(state === "failed" && { error: error ?? "The generation failed." }),
  } as JsonObject);
}
