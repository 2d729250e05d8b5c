import { compact, type JsonObject } from "@manifold-gateway/core/codec";
import type { ImageRole, PartSource, VideoAsk } from "@manifold-gateway/core/operations";
import type { Call } from "../../call.ts";
import { promptOf } from "../prompt.ts";

/** The call that begins an operation, with parameters that only some platforms have. Images must already be bytes. */
export function encode(ask: VideoAsk, model: string, parameters: Partial<VideoAsk> = {}): Call {
  const prompt = promptOf(ask);
  const images = (role: ImageRole): JsonObject[] =>
    ask.parts.flatMap((part) => (part.type === "image" && part.role === role ? bytesOf(part.source) : []));
  const references = images("referenceImage").map((image) => ({ image, referenceType: "asset" }));
  const json = {
    instances: [
      compact({
        prompt,
        image: images("firstFrame")[0],
        lastFrame: images("lastFrame")[0],
        referenceImages: references.length > 0 ? references : undefined,
      }),
    ],
    parameters: compact({
      aspectRatio: ask.ratio,
      resolution: ask.resolution,
      durationSeconds: ask.duration,
      seed: ask.seed,
      ...parameters,
    } as JsonObject),
  };
  return { method: "POST", path: `/models/${encodeURIComponent(model)}:predictLongRunning`, json };
}

const bytesOf = (source: PartSource): JsonObject[] =>
  source.type === "base64" ? [{ bytesBase64Encoded: source.data, mimeType: source.mediaType }] : [];
