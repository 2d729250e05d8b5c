import { compact, type JsonObject } from "@manifold-gateway/core/codec";
import {
  addressOf,
  type ImageRole,
  type PartSource,
  type VideoAsk,
  type VideoPart,
} from "@manifold-gateway/core/operations";
import type { Call } from "../../call.ts";
import { promptOf } from "../prompt.ts";

type MediaPart = Exclude<VideoPart, { type: "text" }>;
type Frame = Exclude<ImageRole, "referenceImage">;

const frames: Record<Frame, string> = { firstFrame: "first_frame", lastFrame: "last_frame" };

/** The call to the router that begins a job. */
export function encode(ask: VideoAsk, model: string): Call {
  const prompt = promptOf(ask);
  const media = ask.parts.filter((part) => part.type !== "text");
  const json = compact({
    model,
    prompt: prompt === "" ? undefined : prompt,
    duration: ask.duration,
    resolution: ask.resolution?.replace(/^4k$/, "4K"),
    // `adaptive` is the router's default.
    aspect_ratio: ask.ratio === "adaptive" ? undefined : ask.ratio,
    generate_audio: ask.generateAudio,
    seed: ask.seed,
    frame_images: some(media.flatMap(frameOf)),
    input_references: some(media.flatMap(referenceOf)),
    provider: { options: { [slugOf(model)]: { watermark: ask.watermark ?? false } } },
  } as JsonObject);
  return { method: "POST", path: "/videos", json };
}

/** The vendor to which options belong: the part of a model's name before the slash. */
const slugOf = (model: string): string => model.split("/")[0] ?? model;

const some = (list: JsonObject[]): JsonObject[] | undefined => (list.length > 0 ? list : undefined);

const itemOf = (type: MediaPart["type"], source: PartSource): JsonObject => ({
  type: `${type}_url`,
  [`${type}_url`]: { url: addressOf(source) ?? "" },
});

const isFrame = (part: MediaPart): part is MediaPart & { type: "image"; role: Frame } =>
  part.type === "image" && part.role !== "referenceImage";

const frameOf = (part: MediaPart): JsonObject[] =>
  isFrame(part) ? [{ ...itemOf("image", part.source), frame_type: frames[part.role] }] : [];

const referenceOf = (part: MediaPart): JsonObject[] =>
  isFrame(part) ? [] : [itemOf(part.type, part.source)];
