import { compact, type JsonObject } from "@manifold-gateway/core/codec";
import { addressOf, type ImageRole, type PartSource, type VideoAsk } from "@manifold-gateway/core/operations";
import type { Call } from "../../call.ts";
import { promptOf } from "../prompt.ts";

const roles: Record<ImageRole, string> = {
  firstFrame: "first_frame",
  lastFrame: "last_frame",
  referenceImage: "reference_image",
};

/** The members of a call beside the request. */
export interface Beside {
  model: string;
  /** A pseudonym of who asks. */
  user: string;
  /** Seconds after which the provider may give up. */
  expires?: number | undefined;
}

/** The call that begins a task. Inline video has been given an address before. */
export function encode(ask: VideoAsk, { model, user, expires }: Beside): Call {
  const text = promptOf(ask);
  const frames = ask.parts.some((part) => part.type === "image" && part.role !== "referenceImage");
  const json = compact({
    model,
    content: [...(text === "" ? [] : [{ type: "text", text }]), ...ask.parts.flatMap(itemOf)],
    resolution: ask.resolution,
    // A ratio that differs from the frame's is refused; with `adaptive` the model takes the frame's.
    ratio: ask.ratio ?? (frames ? "adaptive" : undefined),
    duration: ask.duration,
    seed: ask.seed,
    camera_fixed: ask.cameraFixed,
    generate_audio: ask.generateAudio,
    watermark: ask.watermark ?? false,
    // The callers' own ids of users never get here.
    safety_identifier: user === "" ? undefined : user.slice(0, 64),
    execution_expires_after: expires === undefined ? undefined : Math.min(Math.max(expires, 3600), 259_200),
  } as JsonObject);
  return { method: "POST", path: "/contents/generations/tasks", json };
}

/** Without a role an image would be the first frame: it is always said. */
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
