import * as z from "zod";
import type { Upload } from "../../check/form.ts";

const number = z.coerce.number().pipe(z.int());
const bool = z.preprocess(
  (value) => (value === "true" ? true : value === "false" ? false : value),
  z.boolean(),
);

const options = {
  model: z.string().min(1),
  prompt: z.string().min(1).max(32_000),
  n: number.pipe(z.int().min(1).max(10)).optional(),
  size: z.string().optional(),
  quality: z.enum(["auto", "low", "medium", "high", "xhigh", "max"]).optional(),
  output_format: z.enum(["png", "jpeg", "webp"]).optional(),
  output_compression: number.pipe(z.int().min(0).max(100)).optional(),
  background: z.enum(["auto", "opaque", "transparent"]).optional(),
  stream: bool.optional(),
  partial_images: number.pipe(z.int().min(0).max(3)).optional(),
  user: z.string().optional(),
};
export const generation = z.strictObject({ ...options, moderation: z.enum(["auto", "low"]).optional() });
export const reference = z.union([
  z.strictObject({ image_url: z.string() }),
  z.strictObject({ file_id: z.string() }),
]);
const edited = { ...options, input_fidelity: z.enum(["low", "high"]).optional() };
export const edit = z.strictObject({
  ...edited,
  images: z.array(reference).min(1).max(16),
  mask: reference.optional(),
});
const upload = z.custom<Upload[]>(Array.isArray, "expected a file");
export const form = z.strictObject({
  ...edited,
  image: upload.optional(),
  "image[]": upload.optional(),
  mask: upload.optional(),
});
/** The features that older servers have instead. */
export const old = z.strictObject({
  model: options.model,
  prompt: z.string().min(1).max(4000),
  n: z.int().min(1).max(10).optional(),
  size: z.enum(["256x256", "512x512", "1024x1024", "1792x1024", "1024x1792"]).optional(),
  quality: z.enum(["standard", "hd"]).optional(),
  style: z.enum(["vivid", "natural"]).optional(),
  response_format: z.enum(["url", "b64_json"]).optional(),
  user: z.string().optional(),
});
