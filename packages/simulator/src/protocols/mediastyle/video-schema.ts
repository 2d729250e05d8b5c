import * as z from "zod";

const url = z.strictObject({ url: z.string().min(1) });

const item = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({
    type: z.literal("image_url"),
    image_url: url,
    role: z.enum(["first_frame", "last_frame", "reference_image"]).optional(),
  }),
  z.strictObject({
    type: z.literal("video_url"),
    video_url: url,
    role: z.literal("reference_video").optional(),
  }),
  z.strictObject({
    type: z.literal("audio_url"),
    audio_url: url,
    role: z.literal("reference_audio").optional(),
  }),
  z.strictObject({ type: z.literal("draft_task"), draft_task: z.strictObject({ id: z.string() }) }),
]);

export const RATIOS = ["16:9", "4:3", "1:1", "3:4", "9:16", "21:9", "adaptive"] as const;

export const schema = z.strictObject({
  model: z.string().min(1),
  content: z.array(item).min(1),
  resolution: z.enum(["480p", "720p", "1080p", "4k"]).optional(),
  ratio: z.enum(RATIOS).optional(),
  duration: z.int().optional(),
  frames: z.int().min(29).max(289).optional(),
  seed: z
    .int()
    .min(-1)
    .max(2 ** 32 - 1)
    .optional(),
  camera_fixed: z.boolean().optional(),
  watermark: z.boolean().optional(),
  generate_audio: z.boolean().optional(),
  service_tier: z.enum(["default", "flex"]).optional(),
  draft: z.boolean().optional(),
  return_last_frame: z.boolean().optional(),
  execution_expires_after: z.int().min(3600).max(259_200).optional(),
  priority: z.int().min(0).max(9).optional(),
  safety_identifier: z.string().max(64).optional(),
  callback_url: z.url({ protocol: /^https$/ }).optional(),
  tools: z.array(z.strictObject({ type: z.literal("web_search") })).optional(),
  omni_reference_task_type: z.string().optional(),
  output_format: z.string().optional(),
});

export type Body = z.infer<typeof schema>;
export type Item = z.infer<typeof item>;

export const ofType = <T extends Item["type"]>({ content }: Body, type: T): Extract<Item, { type: T }>[] =>
  content.filter((one): one is Extract<Item, { type: T }> => one.type === type);

/** The images in one role; an image without a role is the first frame. */
export const inRole = (body: Body, role: "first_frame" | "last_frame" | "reference_image") =>
  ofType(body, "image_url").filter((one) => (one.role ?? "first_frame") === role);

export const textOf = (body: Body): string =>
  ofType(body, "text")
    .map(({ text }) => text)
    .join("\n");
