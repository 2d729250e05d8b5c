import { isObject, type Json } from "@manifold-gateway/core/codec";
import { base64Bytes, imageTypes, SNIFFED, sniff } from "@manifold-gateway/core/operations";
import { z } from "zod";

/** Bytes are what they show to be: clients name many files without a type, or by a wrong one. */
function withType(file: unknown): unknown {
  if (!isObject(file as Json)) return file;
  const { data, ...rest } = file as { data?: unknown };
  if (typeof data !== "string") return file;
  const mediaType = sniff(Buffer.from(data.slice(0, 2 * SNIFFED), "base64"));
  return { ...rest, data, ...(mediaType !== undefined && { mediaType }) };
}

/** A picture in a form. */
export const imageFile = z.preprocess(
  withType,
  z.object({
    data: base64Bytes("must be a file"),
    mediaType: z.enum(imageTypes, { error: `must be one of ${imageTypes.join(", ")}` }),
    filename: z.string().optional(),
  }),
);
