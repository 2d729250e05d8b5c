import { type JsonObject, textOf, toArray, toObject } from "@manifold-gateway/core/codec";
import type { Finished } from "../operation.ts";

/** Reads the addresses of a finished operation's videos, which need the provider's key. */
export function finish(response: JsonObject): Finished<string> {
  const { generatedSamples, raiMediaFilteredReasons } = toObject(response.generateVideoResponse);
  return {
    videos: toArray(generatedSamples).flatMap((sample) => textOf(toObject(toObject(sample).video).uri) ?? []),
    raiMediaFilteredReasons,
  };
}
