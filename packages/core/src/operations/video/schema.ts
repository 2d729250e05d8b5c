import * as z from "zod";
import {
  assetId,
  audioTypes,
  checkInline,
  imageTypes,
  inlineMembers,
  mediaUrl,
  unknownType,
  videoTypes,
} from "../content.ts";
import { imageRoles } from "./ir.ts";

/** The parts of native content, by what they are once decoded. */
const partTypes = {
  text: ["text"],
  image: ["imageUrl", "imageBase64", "imageAssetId", "kycImageAssetId"],
  video: ["videoUrl", "videoBase64", "videoAssetId", "kycVideoAssetId"],
  audio: ["audioUrl", "audioBase64", "kycAudioAssetId"],
} as const;

/** The longest clip that can be requested, in seconds; the limits of a model are in its capabilities. */
const LONGEST = 3_600;

const role = z.enum(imageRoles).optional();
const audioMedia = z.string({ error: `is required: ${Object.keys(audioTypes).join(", ")}` });

const part = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.literal("text"), text: z.string() }),
    z.object({ type: z.literal("imageUrl"), url: mediaUrl, role }),
    z.object({ type: z.literal("imageBase64"), ...inlineMembers, role }).superRefine(checkInline(imageTypes)),
    z.object({ type: z.literal("imageAssetId"), assetId, role }),
    z.object({ type: z.literal("videoUrl"), url: mediaUrl }),
    z.object({ type: z.literal("videoBase64"), ...inlineMembers }).superRefine(checkInline(videoTypes)),
    z.object({ type: z.literal("videoAssetId"), assetId }),
    z.object({
      type: z.literal("audioUrl"),
      url: mediaUrl,
      role: z.literal("referenceAudio", { error: 'is required and must be "referenceAudio"' }),
    }),
    z
      .object({ type: z.literal("audioBase64"), ...inlineMembers, mediaType: audioMedia })
      .superRefine(checkInline(Object.keys(audioTypes))),
    z.object({ type: z.literal("kycImageAssetId"), assetId }),
    z.object({ type: z.literal("kycVideoAssetId"), assetId }),
    z.object({ type: z.literal("kycAudioAssetId"), assetId }),
  ],
  { error: unknownType(Object.values(partTypes).flat()) },
);

/** The body of a native video request, and of its estimate. Unknown fields are stripped. */
export const nativeVideoSchema = z.object({
  model: z.string().min(1, "must name a model"),
  content: z.array(part).min(1, "must hold at least one part"),
  duration: z.int().min(1).max(LONGEST).optional(),
  resolution: z.enum(["480p", "720p", "1080p", "4k"]).optional(),
  ratio: z.string().min(1).max(32).optional(),
  generateAudio: z.boolean().optional(),
  seed: z.int().min(-1).optional(),
  watermark: z.boolean().optional(),
  cameraFixed: z.boolean().optional(),
  maxTokens: z.int().min(1).optional(),
});
export type NativeVideoBody = z.infer<typeof nativeVideoSchema>;

/** The request that each size of the chat-style wire stands for. */
export const chatstyleSizes: Readonly<Record<string, { resolution: string; ratio: string }>> = {
  "720x1280": { resolution: "720p", ratio: "9:16" },
  "1280x720": { resolution: "720p", ratio: "16:9" },
  "1024x1792": { resolution: "1080p", ratio: "9:16" },
  "1792x1024": { resolution: "1080p", ratio: "16:9" },
};

const SECONDS = `must be a whole number of seconds from 1 to ${LONGEST}, as a number or as a string of digits`;

const createParams = z.looseObject({
  model: z.string().min(1, "must name a model"),
  prompt: z.string().min(1, "must hold 1 to 32000 characters").max(32_000, "must hold 1 to 32000 characters"),
  seconds: z
    .union([z.int().min(1).max(LONGEST), z.string().regex(/^[1-9]\d{0,3}$/)], { error: SECONDS })
    .transform(Number)
    .refine((seconds) => seconds <= LONGEST, { error: SECONDS })
    .optional(),
  size: z.enum(Object.keys(chatstyleSizes) as [string, ...string[]]).optional(),
  input_reference: z
    .looseObject({ image_url: mediaUrl.optional(), file_id: z.string().optional() })
    .superRefine((reference, context) => {
      const add = (path: string[], message: string): void =>
        context.addIssue({ code: "custom", path, message });
      const { image_url, file_id, ...others } = reference;
      if ((image_url === undefined) === (file_id === undefined))
        add([], "must have exactly one of image_url and file_id");
      else if (file_id !== undefined) add(["file_id"], "is not supported here: send an image_url");
      for (const name of Object.keys(others)) add([name], "is not supported: leave it out");
    })
    .optional(),
});

/** The body of chat-style `POST /videos`. Fields it does not know are refused. */
export const chatstyleVideoSchema = createParams.superRefine((body, context) => {
  for (const name of Object.keys(body))
    if (!Object.hasOwn(createParams.shape, name))
      context.addIssue({ code: "custom", path: [name], message: "is not supported: leave it out" });
});
export type ChatstyleVideoBody = z.infer<typeof chatstyleVideoSchema>;
