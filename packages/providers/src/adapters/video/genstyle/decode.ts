import { type JsonObject, textOf, toArray, toObject } from "@manifold-gateway/core/codec";

/** Reads the addresses of a finished operation's videos, which need the provider's key. */
export const finish = (response: JsonObject): string[] =>
  toArray(toObject(response.generateVideoResponse).generatedSamples).flatMap(
    (sample) => textOf(toObject(toObject(sample).video).uri) ?? [],
  );
