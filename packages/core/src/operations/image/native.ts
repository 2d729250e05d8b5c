import { compact, type JsonObject } from "../../json/json.ts";
import { type PartSource, toInline } from "../content.ts";
import type { ImageAsk, ImageInput, ImageResult } from "./ir.ts";
import type { NativeImageBody } from "./schema.ts";

type Part = NativeImageBody["content"][number];

/** A native request as an ask. */
export function decodeNativeImage({ model, content, ...params }: NativeImageBody): ImageAsk {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const images = content.flatMap((part, index): ImageInput[] => {
    const source = toPartSource(part);
    return source ? [{ source, at: `/content/${index}` }] : [];
  });
  return compact({ model, prompt: texts.join("\n"), images, ...params }) as ImageAsk;
}

function toPartSource(part: Part): PartSource | undefined {
  switch (part.type) {
    case "text":
      return undefined;
    case "imageUrl":
      return { type: "url", url: part.url };
    case "imageBase64":
      return toInline(part);
    case "imageAssetId":
      return { type: "asset", id: part.assetId, kind: "output" };
  }
}

/** A result as the native interface shows it. */
export function encodeNativeImage({ images, usage }: ImageResult): JsonObject {
  return {
    images: images.map(({ url, b64, downloadUrl, assetId }) =>
      compact({ url, downloadUrl, b64, assetId } as JsonObject),
    ),
    usage: compact({ ...usage } as JsonObject),
  };
}

/** An async job as it is read. `running` work is what callers know as processing. */
export function encodeImageJob(job: {
  generationId: string;
  state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  result?: ImageResult;
  error?: string;
}): JsonObject {
  const status = { running: "processing", cancelled: "failed" }[job.state as string] ?? job.state;
  return {
    generationId: job.generationId,
    status,
    ...(status === "succeeded" && job.result && { result: encodeNativeImage(job.result) }),
    ...(status === "failed" && { error: job.error ?? "The generation failed." }),
  };
}
