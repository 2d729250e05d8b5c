import { z } from "zod";

export const fileObject = z
  .object({
    id: z.string(),
    object: z.literal("file"),
    bytes: z.int(),
    created_at: z.int().describe("Seconds since the epoch."),
    expires_at: z.int().nullable(),
    filename: z.string(),
    purpose: z.string(),
    status: z.literal("processed"),
  })
  .meta({ id: "File" });
