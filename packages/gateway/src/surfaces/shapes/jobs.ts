import { z } from "zod";

const moment = z.iso.datetime();

const output = z.object({
  assetId: z.string().describe("The asset id of the archived file, for later requests."),
  mediaType: z.string(),
  size: z.int().describe("Bytes."),
  downloadUrl: z.string().describe("A link that expires; read the job for a new one."),
});

/** A job of any kind, as its owner reads it. */
export const job = z
  .object({
    id: z.string().describe("The id of the job and of its generation."),
    kind: z.enum(["image", "video", "speech"]),
    model: z.string(),
    status: z.enum(["queued", "running", "succeeded", "failed", "cancelled"]),
    taskId: z.string().optional().describe("The provider's id of the task."),
    content: z
      .array(z.looseObject({}))
      .optional()
      .describe("The content of the request, if it is still stored."),
    outputs: z.array(output),
    transcript: z.string().optional(),
    durationSeconds: z.number().optional(),
    error: z.object({ kind: z.string(), message: z.string() }).optional(),
    isExpired: z.boolean().describe("Whether its files were deleted at the end of the retention time."),
    isOrphan: z.boolean().describe("Whether the outcome at the provider is unknown; the hold was released."),
    createdAt: moment,
    updatedAt: moment,
    deadline: moment,
    endedAt: moment.optional(),
  })
  .meta({ id: "Job" });

/** A job of any account, as operators read it: without what was asked for and what was made. */
export const anyJob = job
  .omit({ content: true, transcript: true })
  .extend({
    userId: z.string().describe("The account that ordered it and is charged."),
    accountName: z.string().optional().describe("The name of the account `userId`."),
    apiKeyId: z.string().optional().describe("Absent where it was ordered with a session."),
    provider: z.string().optional().describe("The provider that does it."),
    outputs: z.array(output.omit({ downloadUrl: true })),
  })
  .meta({ id: "AnyJob" });
