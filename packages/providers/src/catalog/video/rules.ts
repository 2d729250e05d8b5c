import type { Capabilities } from "@manifold/core";
import { MB } from "../model.ts";

export type Area = NonNullable<Capabilities["video"]>;
export type Params = NonNullable<Area["params"]>;
export type Inputs = NonNullable<Area["inputs"]>;
type Form = NonNullable<NonNullable<Inputs["image"]>["forms"]>[number];

export const oneOf = (values: string[], fallback?: string): Params[string] => ({
  type: "enum",
  values,
  ...(fallback !== undefined && { default: fallback }),
});
export const whole = (min: number, max: number, fallback?: number): Params[string] => ({
  type: "int",
  min,
  max,
  ...(fallback !== undefined && { default: fallback }),
});
export const yes: Params[string] = { type: "bool", default: true };
export const no: Params[string] = { type: "bool", default: false };

export const ratios = ["16:9", "4:3", "1:1", "3:4", "9:16", "21:9"];
export const adaptive = [...ratios, "adaptive"];

const imageTypes = ["jpeg", "png", "webp", "bmp", "tiff", "gif"].map((type) => `image/${type}`);
const phoneTypes = ["image/heic", "image/heif"];
const shape = { edge: { min: 300, max: 6000 }, ratio: 2.5 };
/** Files are a fraction longer than what was cut: the vendor allows for it. */
const seconds = { min: 1.8, max: 15.2 };

/** Images by role, each with the most of it. */
export function images(
  roles: Record<string, number>,
  forms: Form[],
  phone = true,
): NonNullable<Inputs["image"]> {
  return {
    roles: Object.fromEntries(Object.entries(roles).map(([role, max]) => [role, { max }])),
    forms,
    mediaTypes: phone ? [...imageTypes, ...phoneTypes] : imageTypes,
    maxBytes: 30 * MB - 1,
    shape,
  };
}

export const videos = (max: number, forms: Form[]): NonNullable<Inputs["video"]> => ({
  max,
  forms,
  mediaTypes: ["video/mp4", "video/quicktime"],
  maxBytes: 50 * MB,
  seconds,
  totalSeconds: 15.2,
  shape: { ...shape, pixels: { min: 409_600, max: 2_086_876 } },
});

export const audios = (max: number, forms: Form[]): NonNullable<Inputs["audio"]> => ({
  max,
  forms,
  mediaTypes: ["audio/mp3", "audio/wav"],
  maxBytes: 15 * MB,
  seconds,
  totalSeconds: 15.2,
});

export const frame = { firstFrame: 1, lastFrame: 1 };
export const isReference = { input: "image" as const, roles: ["referenceImage"] };
export const never = "refuse" as const;
