import * as z from "zod";
import { assetId, checkInline, imageTypes, inlineMembers, mediaUrl, unknownType } from "../content.ts";

const partTypes = ["text", "imageUrl", "imageBase64", "imageAssetId"];

const part = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.literal("text"), text: z.string() }),
    z.object({ type: z.literal("imageUrl"), url: mediaUrl }),
    z.object({ type: z.literal("imageBase64"), ...inlineMembers }).superRefine(checkInline(imageTypes)),
    z.object({ type: z.literal("imageAssetId"), assetId }),
  ],
  { error: unknownType(partTypes) },
);

/** `<width>x<height>` in positive integers. */
export const SIZE = /^[1-9]\d{0,5}x[1-9]\d{0,5}$/;

/** The body of a native image request. Unknown fields are stripped. */
export const nativeImageSchema = z
  .object({
    model: z.string().min(1, "must name a model"),
    content: z.array(part).min(1, "must hold at least one part"),
    size: z.string().regex(SIZE, 'must be "<width>x<height>" in positive integers').optional(),
    numberOfImages: z.int().min(1).max(15).optional(),
    guidanceScale: z.number().min(1).max(10).optional(),
    outputFormat: z.enum(["png", "jpeg", "webp"]).optional(),
    quality: z.enum(["auto", "high", "medium", "low"]).optional(),
    background: z.enum(["transparent", "opaque", "auto"]).optional(),
    outputCompression: z.int().min(0).max(100).optional(),
    responseFormat: z.enum(["url", "b64_json"]).optional(),
    watermark: z.boolean().optional(),
    optimizePromptOptions: z.object({ mode: z.enum(["standard", "fast"]).optional() }).optional(),
    maxTokens: z.int().min(1).optional(),
  })
  .superRefine((body, context) => {
    if (body.background === "transparent" && body.outputFormat === "jpeg")
      context.addIssue({
        code: "custom",
        path: ["background"],
        message: 'transparent requires outputFormat "png" or "webp", not "jpeg"',
      });
    if (body.outputCompression !== undefined && body.outputFormat === "png")
      context.addIssue({
        code: "custom",
        path: ["outputCompression"],
        message: 'requires outputFormat "webp" or "jpeg", not "png"',
      });
  });
export type NativeImageBody = z.infer<typeof nativeImageSchema>;

/** The body of `POST /images/generations`. Unknown fields pass to providers of the same wire. */
export const chatstyleImageSchema = z.looseObject({
  model: z.string().min(1, "must name a model"),
  prompt: z.string().min(1, "must not be empty"),
  n: z.int().min(1).max(128).nullish(),
  size: z.string().min(1).nullish(),
  quality: z.string().min(1).nullish(),
  output_format: z.string().min(1).nullish(),
  response_format: z.enum(["url", "b64_json"]).nullish(),
  background: z.string().min(1).nullish(),
  style: z.string().min(1).nullish(),
  user: z.string().nullish(),
  stream: z.boolean().nullish(),
  provider: z.record(z.string(), z.json()).nullish(),
});
export type ChatstyleImageBody = z.infer<typeof chatstyleImageSchema>;
