import { z } from "zod";

const moment = z.iso.datetime();

/** A job of any kind, as its owner reads it. */
export const job = z
  .object({
    id: z.string().describe("Of its generation too."),
    kind: z.enum(["image", "video", "speech"]),
    model: z.string(),
    status: z.enum(["queued", "running", "succeeded", "failed", "cancelled"]),
    taskId: z.string().optional().describe("The provider's id of the work."),
    content: z.array(z.looseObject({})).optional().describe("What was ordered, where that is kept."),
    outputs: z.array(
      z.object({
        assetId: z.string().describe("Of the archived file: a later request can name it."),
        mediaType: z.string(),
        size: z.int().describe("Bytes."),
        downloadUrl: z.string().describe("A link that expires; read the job for a new one."),
      }),
    ),
    transcript: z.string().optional(),
    durationSeconds: z.number().optional(),
    error: z.object({ kind: z.string(), message: z.string() }).optional(),
    isExpired: z.boolean().describe("Its files were kept as long as files are, and are gone."),
    isOrphan: z.boolean().describe("The outcome at the provider is not known; the hold was given back."),
    createdAt: moment,
    updatedAt: moment,
    deadline: moment,
    endedAt: moment.optional(),
  })
  .meta({ id: "Job" });
