import { z } from "zod";

const count = z.number().optional();
const link = z.string().optional();
const moment = z.iso.datetime().optional();

export const imageResult = z
  .object({
    images: z.array(
      z.object({
        url: link.describe("The provider's URL; it expires."),
        downloadUrl: link.describe("A link to the archived output; it expires, read the job for a new one."),
        b64: link.describe("The bytes in base64."),
        assetId: link.describe("The asset id of the archived output, for later requests."),
      }),
    ),
    usage: z
      .object({
        generatedImages: count,
        totalTokens: count,
        inputTokens: count,
        outputTokens: count,
        inputImageTokens: count,
        outputImageTokens: count,
        usdCost: count,
      })
      .optional(),
  })
  .meta({ id: "ImageResult" });

const jobStatus = z.enum(["queued", "processing", "succeeded", "failed"]);

export const imageJob = z
  .object({
    generationId: z.string(),
    status: jobStatus,
    result: imageResult.optional(),
    error: z.string().optional(),
  })
  .meta({ id: "ImageJob" });

export const videoTask = z
  .object({
    taskId: z.string(),
    generationId: z.string(),
    providerId: z.string(),
    status: z.enum(["queued", "running", "succeeded", "failed", "cancelled"]),
    model: z.string(),
    content: z.array(z.looseObject({ type: z.string() })),
    contentKept: z
      .literal(false)
      .optional()
      .describe("The content was deleted at the end of the retention time."),
    videoUrl: link,
    downloadUrl: link,
    assetId: link,
    usage: z
      .looseObject({
        completionTokens: count,
        totalTokens: count,
        usdCost: count,
        durationSeconds: count,
        providerUsage: z.looseObject({}).optional(),
      })
      .optional(),
    error: z.string().optional(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: "VideoTask" });

export const videoEstimate = z
  .object({
    data: z.object({ estimatedUserCost: z.number(), currency: z.literal("USD") }),
    success: z.literal(true),
    status: z.literal(200),
  })
  .meta({ id: "VideoEstimate" });

export const videoJob = z
  .looseObject({
    id: z.string(),
    polling_url: z.string(),
    status: z.enum(["pending", "in_progress", "completed", "failed", "cancelled", "expired"]),
    generation_id: z.string().optional(),
    unsigned_urls: z.array(z.string()).optional(),
    usage: z.looseObject({}).optional(),
    error: z.string().optional(),
  })
  .meta({ id: "VideoJob" });

export const audioJob = z
  .object({
    generationId: z.string(),
    product: z.enum(["text-to-speech", "generation-with-reference"]),
    status: jobStatus,
    audioUrl: link,
    durationSeconds: count,
    originalDurationSeconds: count,
    providerUrl: link,
    subtitle: z
      .object({
        text: z.string(),
        sentences: z.array(
          z.object({
            text: z.string(),
            startTime: count,
            endTime: count,
            words: z.array(z.unknown()),
          }),
        ),
      })
      .optional(),
    error: z.string().optional(),
  })
  .meta({ id: "AudioJob" });

export const identityAsset = z
  .object({
    assetId: z.string(),
    assetType: z.enum(["Image", "Video", "Audio"]),
    name: z.string().optional(),
    status: z.enum(["processing", "active", "failed"]),
    errorCode: z.string().optional(),
    errorMessage: z.string().optional(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "IdentityAsset" });

export const imageList = z
  .looseObject({
    created: z.int(),
    data: z.array(z.looseObject({ url: link, b64_json: link })),
    usage: z.looseObject({}).optional(),
  })
  .meta({ id: "ImageList" });
