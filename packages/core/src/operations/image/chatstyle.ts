import { extraOf } from "../../ir/extra.ts";
import { compact, type JsonObject } from "../../json/json.ts";
import type { ParamNames } from "../ask-params.ts";
import type { ImageAsk, ImageOutput, ImagePreview, ImageResult, ImageUsage } from "./ir.ts";
import type { ChatstyleImageBody } from "./schema.ts";

/** This wire's names for the parameters that it has. */
export const chatstyleImageNames: ParamNames = {
  prompt: "/prompt",
  size: "/size",
  quality: "/quality",
  background: "/background",
  numberOfImages: "/n",
  outputFormat: "/output_format",
  outputCompression: "/output_compression",
  responseFormat: "/response_format",
};

/** Read here, or addressed to us alone. */
const knownFields = new Set([
  ...["model", "prompt", "n", "size", "quality", "output_format", "output_compression", "response_format"],
  ...["background", "style", "stream", "provider", "user"],
]);

/** A chat-style request as an ask. What it has no word for goes to providers of the same wire. */
export function decodeChatstyleImage(body: ChatstyleImageBody): ImageAsk {
  const { output_compression: compression } = body;
  return compact({
    model: body.model,
    prompt: body.prompt,
    images: [],
    size: body.size ?? undefined,
    numberOfImages: body.n ?? undefined,
    quality: body.quality ?? undefined,
    outputFormat: body.output_format ?? undefined,
    outputCompression: typeof compression === "number" ? compression : undefined,
    responseFormat: body.response_format ?? undefined,
    background: body.background ?? undefined,
    style: body.style ?? undefined,
    user: body.user ?? undefined,
    ...extraOf("chatstyle", body as JsonObject, knownFields),
  }) as ImageAsk;
}

/** The members of a reply of this wire beside its pictures. */
export interface ChatstyleImageHead {
  /** Seconds since the epoch. */
  created: number;
  /** The form that the caller requested; pictures that exist only as the other come as they are. */
  responseFormat?: string | undefined;
}

/** The unary reply. An archived picture is named by our address, never the provider's. */
export function encodeChatstyleImage(result: ImageResult, head: ChatstyleImageHead): JsonObject {
  return {
    created: head.created,
    data: result.images.map((image) => itemOf(image, head.responseFormat)),
    ...settingsOf(result),
    usage: usageOf(result.usage),
  };
}

function itemOf(image: ImageOutput, format: string | undefined): JsonObject {
  const url = image.downloadUrl ?? image.url;
  const inline = image.b64 !== undefined && !(format === "url" && url !== undefined);
  return compact({
    ...(inline ? { b64_json: image.b64 } : { url }),
    revised_prompt: image.revisedPrompt,
  } as JsonObject);
}

const settingsOf = (from: ImageResult | ImagePreview): JsonObject =>
  compact({
    background: from.background,
    output_format: from.outputFormat,
    quality: from.quality,
    size: from.size,
  } as JsonObject);

function usageOf(usage: ImageUsage): JsonObject {
  const input = usage.inputTokens ?? 0;
  const output = usage.outputTokens ?? 0;
  const image = Math.min(usage.inputImageTokens ?? 0, input);
  const imageOutput = usage.outputImageTokens && Math.min(usage.outputImageTokens, output);
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: usage.totalTokens ?? input + output,
    input_tokens_details: { text_tokens: input - image, image_tokens: image },
    ...(imageOutput !== undefined && {
      output_tokens_details: { text_tokens: output - imageOutput, image_tokens: imageOutput },
    }),
  };
}

/** A chunk of the streamed reply: `type` is also the name of its event. */
export type ChatstyleImageEvent = JsonObject & { type: string };

/** The event of a picture that is not finished. `created` in seconds since the epoch. */
export const encodeChatstylePreview = (preview: ImagePreview, created: number): ChatstyleImageEvent => ({
  type: "image_generation.partial_image",
  b64_json: preview.b64,
  partial_image_index: preview.index,
  created_at: created,
  ...settingsOf(preview),
});

/** The events that end a streamed reply: one for each picture, the usage with the last. */
export function encodeChatstyleCompleted(result: ImageResult, created: number): ChatstyleImageEvent[] {
  const last = result.images.length - 1;
  return result.images.map((image, index) => ({
    type: "image_generation.completed",
    ...itemOf(image, "b64_json"),
    created_at: created,
    ...settingsOf(result),
    ...(index === last && { usage: usageOf(result.usage) }),
  }));
}
