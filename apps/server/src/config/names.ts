import { isUnreserved } from "@manifold-gateway/gateway/admin";
import { z } from "zod";

/** A name of a provider or a model. */
export const id = z
  .string()
  .min(1)
  .max(256)
  .regex(/^\P{Cc}*$/u, "must not contain control characters")
  .refine(isUnreserved, "is a reserved name");
/** A name of an account or a key. */
export const ownerName = z.string().min(1).max(64).refine(isUnreserved, "is a reserved name");
