import * as z from "zod";
import { checked } from "../../check/body.ts";
import { make } from "../../media/media-store.ts";
import { pictureOf, ratedSize, sizeOf } from "../../media/picture.ts";
import type { AcceptedRequest, Chunk, MediaCall } from "../protocol.ts";
import { bad, ERRORS, toRefusal } from "./errors.ts";

const schema = z.strictObject({
  model: z.string().min(1),
  prompt: z.string().min(1),
  aspect_ratio: z.enum(["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"]).optional(),
  resolution: z.enum(["1K", "2K", "4K"]).optional(),
  size: z.string().optional(),
  n: z.int().min(1).max(10).optional(),
  quality: z.enum(["auto", "low", "medium", "high"]).optional(),
  background: z.enum(["auto", "opaque", "transparent"]).optional(),
  output_format: z.enum(["png", "jpeg", "webp"]).optional(),
  output_compression: z.int().min(0).max(100).optional(),
  seed: z.int().optional(),
  input_references: z
    .array(
      z.strictObject({ type: z.literal("image_url"), image_url: z.strictObject({ url: z.string().min(1) }) }),
    )
    .optional(),
  stream: z.boolean().optional(),
});

const PRICE = 0.04;

function measure({
  size,
  aspect_ratio = "1:1",
  resolution = "1K",
}: z.infer<typeof schema>): [number, number] {
  if (size !== undefined && size !== "auto") {
    const found = sizeOf(size);
    if (!found) throw bad("size", `expected WIDTHxHEIGHT, got ${size}`);
    return found;
  }
  return ratedSize(aspect_ratio, { "1K": 1024, "2K": 2048, "4K": 4096 }[resolution]);
}

/** Images of whichever vendor stands behind a name. */
export function generateImages(call: MediaCall): AcceptedRequest {
  const body = checked(schema, call.body, toRefusal);
  const { n = 1, output_format = "png", stream = false } = body;
  const size = measure(body);
  if (body.background === "transparent" && output_format === "jpeg")
    throw bad("background", "transparent needs png or webp");
  return {
    text: body.prompt,
    stream,
    answer: (outcome, withUsage) => {
      const count = outcome.silent ? 0 : (outcome.images ?? n);
      const pictures = Array.from({ length: count }, (_, index) =>
        pictureOf(output_format, size, `${call.hash} ${index}`, outcome),
      );
      const cost = Math.round(count * PRICE * 1e6) / 1e6;
      make(call, {
        outcome,
        errors: ERRORS,
        make: () => ({ outputs: pictures.map(({ output }) => output), billed: { cost } }),
      });
      const media_type = `image/${output_format}`;
      const data = pictures.map((one) => ({ b64_json: one.bytes().toString("base64"), media_type }));
      const usage = withUsage ? { usage: { cost, is_byok: false } } : {};
      const created = Math.floor(call.now / 1000);
      if (!stream) return { body: { created, data, ...usage } };
      const partial: Chunk[] = data.slice(0, 1).map(({ b64_json }) => ({
        data: { type: "image_generation.partial_image", b64_json, partial_image_index: 0, media_type },
        part: "content",
      }));
      const end = data.map(
        (one): Chunk => ({
          data: { type: "image_generation.completed", ...one, created, ...usage },
          part: "done",
        }),
      );
      return { chunks: [...partial, ...end, { data: "[DONE]", part: "done" }], framing: "events" };
    },
  };
}
