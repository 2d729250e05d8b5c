import { compact, type Json, type JsonObject, parseJson } from "@manifold-gateway/core/codec";
import { addressOf, type ImageAsk } from "@manifold-gateway/core/operations";
import type { Call } from "../../call.ts";
import { isSized } from "../sized.ts";

/**
 * Members of this wire that the images of the chat wire do not have, but its callers may send. How many pictures are
 * made is not among them, since that many have to be paid: it is said by `n`.
 */
export const mediastyleMembers = ["watermark", "guidance_scale", "seed", "optimize_prompt_options"] as const;

/** The value of a member; forms have only texts. */
function memberOf({ extra }: ImageAsk, name: string): Json | undefined {
  const value = extra?.fields[name];
  return typeof value === "string" ? (parseJson(value) ?? value) : value;
}

/** The call that makes pictures from text alone or from other pictures. */
export function encode(ask: ImageAsk, model: string): Call {
  const images = ask.images.map(({ source }) => addressOf(source) ?? "");
  const count = ask.numberOfImages ?? 1;
  const json = compact({
    model,
    prompt: ask.prompt,
    image: images.length > 1 ? images : images[0],
    size: isSized(ask.size) ? ask.size : undefined,
    guidance_scale: ask.guidanceScale,
    // Models that support only JPEG reject the field.
    output_format: ask.outputFormat === "jpeg" ? undefined : ask.outputFormat,
    background: ask.background,
    response_format: ask.responseFormat,
    // The provider adds a watermark by default.
    watermark: ask.watermark ?? false,
    optimize_prompt_options: ask.optimizePromptOptions?.mode && { mode: ask.optimizePromptOptions.mode },
    ...compact(Object.fromEntries(mediastyleMembers.map((name) => [name, memberOf(ask, name)]))),
    ...(count > 1 && {
      sequential_image_generation: "auto",
      sequential_image_generation_options: { max_images: count },
    }),
  } as JsonObject);
  return { method: "POST", path: "/images/generations", json };
}
