import { compact, type JsonObject } from "@manifold-gateway/core/codec";
import { addressOf, type ImageRole, type PartSource, type VideoAsk } from "@manifold-gateway/core/operations";
import type { Call } from "../../call.ts";
import { promptOf } from "../prompt.ts";

const roles: Record<ImageRole, string> = {
  firstFrame: "first_frame",
  lastFrame: "last_frame",
  referenceImage: "reference_image",
};

/** The members of a call besides the request. */
export interface SubmitOptions {
  model: string;
  /** A pseudonym of the caller. */
  user: string;
  /** The seconds after which the provider may give up. */
  expires?: number | undefined;
}

/** The call that begins a task. Inline video must already have been published at an address. */
export function encode(ask: VideoAsk, { model, user, expires }: SubmitOptions): Call {
  const text = promptOf(ask);
  const frames = ask.parts.some((part) => part.type === "image" && part.role !== "referenceImage");
  const json = compact({
    model,
    content: [...(text === "" ? [] : [{ type: "text", text }]), ...ask.parts.flatMap(itemOf)],
    resolution: ask.resolution,
    // The provider refuses a ratio that differs from the frame's; `adaptive` uses the frame's.
    ratio: ask.ratio ?? (frames ? "adaptive" : undefined),
    duration: ask.duration,
    seed: ask.seed,
    camera_fixed: ask.cameraFixed,
    generate_audio: ask.generateAudio,
    watermark: ask.watermark ?? false,
    // A pseudonym: the callers' own ids of users are never sent.
    safety_identifier: user === "" ? undefined : user.slice(0, 64),
    execution_expires_after: expires === undefined ? undefined : Math.min(Math.max(expires, 3600), 259_200),
  } as JsonObject);
  return { method: "POST", path: "/contents/generations/tasks", json };
}

/** The items of a part. An image always has a role, because without one it would be the first frame. */
function itemOf(part: VideoAsk["parts"][number]): JsonObject[] {
  switch (part.type) {
    case "text":
      return [];
    case "image":
      return [{ type: "image_url", image_url: { url: urlOf(part.source) }, role: roles[part.role] }];
    case "video":
      return [{ type: "video_url", video_url: { url: urlOf(part.source) }, role: "reference_video" }];
    case "audio":
      return [{ type: "audio_url", audio_url: { url: urlOf(part.source) }, role: "reference_audio" }];
  }
}

const urlOf = (source: PartSource): string =>
  source.type === "asset" ? `asset://${source.registered ?? ""}` : (addressOf(source) ?? "");
