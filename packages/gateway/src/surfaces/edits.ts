import { isObject, type Json, type JsonObject, toObject } from "@manifold-gateway/core/codec";
import {
  chatstyleImageSchema,
  decodeChatstyleImage,
  type ImageAsk,
  type ImageInput,
  mediaUrl,
  toInline,
} from "@manifold-gateway/core/operations";
import { z } from "zod";
import { imageFile } from "./image-file.ts";

const dataUrl = z.string().regex(/^data:image\/[\w.+-]+;base64,[A-Za-z0-9+/_-]+={0,2}$/);
const imageReference = z.object({
  image_url: z.union([mediaUrl, dataUrl], {
    error: "must be a public http or https URL, or a data URL of base64",
  }),
});

/**
 * The forms in which clients and vendors refer to a picture by its address: the address alone, `{ url }`, and that within
 * `image_url`. Files of forms stay as they are.
 */
function toReference(value: Json | undefined): Json | undefined {
  if (typeof value === "string") return { image_url: value };
  const { url, image_url } = toObject(value);
  if (typeof url === "string") return { image_url: url };
  return isObject(image_url) ? toReference(image_url) : value;
}

/** A body with the addresses of its pictures in `images`. Files stay in `image`, and a list of one is that one. */
function withReferences({ image, mask, ...body }: JsonObject): JsonObject {
  const pictures = [image ?? []].flat();
  const [only] = pictures;
  const areFiles = pictures.some((one) => isObject(one) && "data" in one);
  const images = body.images ?? (areFiles ? undefined : image);
  const [first = mask, ...more] = [mask ?? []].flat();
  return {
    ...body,
    ...(images !== image && image !== undefined && { image: pictures.length === 1 ? only : image }),
    ...(images !== undefined && { images: [images].flat().map(toReference) }),
    ...(mask !== undefined && { mask: more.length > 0 ? mask : toReference(first) }),
  } as JsonObject;
}

/** Members that a form sends as text instead of numbers or booleans. */
const typed = new Set(["n", "output_compression", "partial_images", "stream"]);
const toTyped = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const isText = typed.has(name) && typeof value === "string" && /^(\d{1,9}|true|false)$/i.test(value);
      return [name, isText ? JSON.parse(value.toLowerCase()) : value];
    }),
  );

const readable = (body: unknown): unknown =>
  isObject(body as Json) ? withReferences(toTyped(body as JsonObject)) : body;

/** The body of an edit. Images are files in `image`, or addresses there or in `images`; a mask is either. */
export const editSchema = z.preprocess(
  readable,
  chatstyleImageSchema
    .extend({
      image: z
        .union([imageFile, z.array(imageFile).min(1)], { error: "must be a file or several" })
        .optional(),
      images: z.array(imageReference).min(1).optional(),
      mask: z
        .union([imageFile, imageReference], { error: "must be a file, or an object with `image_url`" })
        .optional(),
    })
    .refine(({ image, images }) => (image === undefined) !== (images === undefined), {
      path: ["image"],
      error: "is required: one file or several, or addresses",
    }),
);

/** Converts an edit to an image request. */
export function editOf({ image, images, mask, ...body }: z.output<typeof editSchema>): ImageAsk {
  const files = image === undefined ? [] : [image].flat();
  const inputs: ImageInput[] = [
    ...files.map((one, index) => ({
      source: toInline(one),
      at: Array.isArray(image) ? `/image/${index}` : "/image",
    })),
    ...(images ?? []).map((one, index) => referenceOf(one, `/images/${index}/image_url`)),
    ...maskOf(mask),
  ];
  return { ...decodeChatstyleImage(body), images: inputs };
}

const referenceOf = ({ image_url: url }: z.output<typeof imageReference>, at: string): ImageInput =>
  url.startsWith("data:") ? { source: toInline({ data: url }), at } : { source: { type: "url", url }, at };

function maskOf(mask: z.output<typeof editSchema>["mask"]): ImageInput[] {
  if (mask === undefined) return [];
  const input =
    "image_url" in mask ? referenceOf(mask, "/mask/image_url") : { source: toInline(mask), at: "/mask" };
  return [{ ...input, role: "mask" }];
}
