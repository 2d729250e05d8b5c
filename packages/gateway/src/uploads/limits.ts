import { type BodyLimits, bodyLimits } from "../http/body.ts";

/** Limits of a form with a file, which is not held in memory. */
export const uploadLimits: BodyLimits = { ...bodyLimits, media: 256 * 1024 * 1024 };
