import {
  base64Bytes,
  chatstyleImageSchema,
  decodeChatstyleImage,
  type ImageAsk,
  type ImageInput,
  imageTypes,
  mediaUrl,
  toInline,
} from "@manifold-gateway/core/operations";
import { z } from "zod";

/** A file in a form. */
const file = z.object({
  data: base64Bytes("must be a file"),
  mediaType: z.enum(imageTypes, { error: `must be one of ${imageTypes.join(", ")}` }),
  filename: z.string().optional(),
});
const dataUrl = z.string().regex(/^data:image\/[\w.+-]+;base64,[A-Za-z0-9+/_-]+={0,2}$/);
const imageReference = z.object({
  image_url: z.union([mediaUrl, dataUrl], {
    error: "must be a public http or https URL, or a data URL of base64",
  }),
});

/** Members that a form sends as text instead of numbers or booleans. */
const typed = new Set(["n", "output_compression", "partial_images", "stream"]);
const toTyped = (body: unknown): unknown =>
  typeof body !== "object" || body === null
    ? body
    : Object.fromEntries(
        Object.entries(body).map(([name, value]) => {
          const isText = typed.has(name) && typeof value === "string" && /^(\d{1,9}|true|false)$/.test(value);
          return [name, isText ? JSON.parse(value) : value];
        }),
      );

const MASK = "is not supported: describe in the prompt what is to change";

/** The body of an edit. Images are files in `image` or `image[]`, or addresses in `images`. */
export const editSchema = z.preprocess(
  toTyped,
  chatstyleImageSchema
    .extend({
      image: z.union([file, z.array(file).min(1)], { error: "must be a file or several" }).optional(),
      images: z.array(imageReference).min(1).optional(),
      mask: z.undefined(MASK).optional(),
    })
    .refine(({ image, images }) => (image === undefined) !== (images === undefined), {
      path: ["image"],
      error: "is required: one file or several, or `images` with addresses",
    }),
);

/** Converts an edit to an image request. */
export function editOf({ image, images, mask: _, ...body }: z.output<typeof editSchema>): ImageAsk {
  const files = image === undefined ? [] : [image].flat();
  const inputs: ImageInput[] = [
    ...files.map((one, index) => ({
      source: toInline(one),
      at: Array.isArray(image) ? `/image/${index}` : "/image",
    })),
    ...(images ?? []).map(({ image_url: url }, index): ImageInput => {
      const at = `/images/${index}/image_url`;
      return url.startsWith("data:")
        ? { source: toInline({ data: url }), at }
        : { source: { type: "url", url }, at };
    }),
  ];
  return { ...decodeChatstyleImage(body), images: inputs };
}
