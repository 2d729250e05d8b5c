import { compact, type JsonObject } from "@manifold-gateway/core/codec";
import { addressOf, type ImageAsk, type ImageInput } from "@manifold-gateway/core/operations";
import type { Call } from "../../call.ts";

/** The call that makes pictures: from text alone a generation, from other pictures an edit. */
export function encode(ask: ImageAsk, model: string, stream = false): Call {
  const fields = fieldsOf(ask, model, stream);
  const { images } = ask;
  if (images.length === 0) return { method: "POST", path: "/images/generations", json: fields };
  const path = "/images/edits";
  // Most servers of this wire expect a form, but a form cannot contain addresses.
  if (images.some(({ source }) => source.type !== "base64"))
    return {
      method: "POST",
      path,
      json: { ...fields, images: images.filter(isPicture).map(reference), ...maskOf(images) },
    };
  return { method: "POST", path, form: formOf(fields, ask) };
}

function fieldsOf(ask: ImageAsk, model: string, stream: boolean): JsonObject {
  return compact({
    ...(ask.extra?.protocol === "chatstyle" && ask.extra.fields),
    model,
    prompt: ask.prompt,
    n: ask.numberOfImages,
    size: ask.size,
    quality: ask.quality,
    output_format: ask.outputFormat,
    output_compression: ask.outputCompression,
    background: ask.background,
    response_format: ask.responseFormat,
    style: ask.style,
    user: ask.user,
    ...(stream && { stream: true }),
  } as JsonObject);
}

const isPicture = ({ role }: ImageInput): boolean => role === undefined;
const reference = ({ source }: ImageInput): JsonObject => ({ image_url: addressOf(source) ?? "" });
const maskOf = (images: readonly ImageInput[]): JsonObject =>
  Object.fromEntries(images.filter((one) => !isPicture(one)).map((mask) => ["mask", reference(mask)]));

function formOf(fields: JsonObject, { images }: ImageAsk): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  // Many servers of this wire know one picture by `image` alone; several are a list for each.
  const field = images.filter(isPicture).length > 1 ? "image[]" : "image";
  for (const [index, image] of images.entries()) {
    const { source } = image;
    if (source.type !== "base64") continue;
    const [, subtype = "png"] = source.mediaType.split("/");
    const bytes = new Blob([Buffer.from(source.data, "base64")], { type: source.mediaType });
    if (isPicture(image)) form.append(field, bytes, `image-${index + 1}.${subtype}`);
    else form.append("mask", bytes, `mask.${subtype}`);
  }
  return form;
}
