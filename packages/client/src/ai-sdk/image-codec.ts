import {
  compact,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toBytes,
  toObject,
  toSource,
  toText,
} from "@manifold-gateway/core/codec";
import type { ImageAsk } from "@manifold-gateway/core/operations";
import type { ImageCodec } from "../images/images.ts";
import { NAMESPACE } from "./wire.ts";

/** What an image model answers, as JSON. */
export interface ImageBody {
  /** Pictures in base64. */
  images: string[];
  /** The prompt of each picture as the model revised it, and its size. */
  details: JsonObject[];
  usage: { inputTokens?: number; outputTokens?: number; totalTokens?: number };
}

/** The AI SDK's interface of image models as the wire of a caller. */
export const modelImages: ImageCodec = {
  decode({ body: { value }, model }) {
    const { quality, background, outputFormat, style, user } = toObject(
      toObject(value.providerOptions)[NAMESPACE],
    );
    return compact({
      model,
      prompt: toText(value.prompt),
      images: toArray(value.files).map((file, i) => ({
        source: sourceOf(toObject(file)),
        at: `/files/${i}`,
      })),
      size: textOf(value.size),
      numberOfImages: numberOf(value.n),
      quality: textOf(quality),
      background: textOf(background),
      outputFormat: textOf(outputFormat),
      style: textOf(style),
      user: textOf(user),
    }) as ImageAsk;
  },
  inline: () => true,
  encode({ images, usage }): ImageBody {
    const { inputTokens, outputTokens, totalTokens } = usage;
    return {
      images: images.map(({ b64 = "" }) => b64),
      details: images.map(
        ({ revisedPrompt, size }) => compact({ revisedPrompt, size }) as Record<string, string>,
      ),
      usage: compact({ inputTokens, outputTokens, totalTokens }) as ImageBody["usage"],
    };
  },
  at: (path) => (path === "/numberOfImages" ? "/n" : path),
};

function sourceOf(file: JsonObject): ImageAsk["images"][number]["source"] {
  if (file.type !== "url") return toBytes(toText(file.data), toText(file.mediaType));
  const source = toSource(toText(file.url));
  return source.type === "base64" ? source : { type: "url", url: toText(file.url) };
}
