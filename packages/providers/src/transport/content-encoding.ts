import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { lookup } from "@manifold-gateway/core/codec";

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * What decodes an answer with this `content-encoding`: undefined if its bytes are plain. `unknown` if they cannot be
 * decoded: for several encodings, or one that was not requested.
 */
export function decoderFor(encoding: string | string[]): Transform | "unknown" | undefined {
  if (encoding === "identity" || encoding === "") return undefined;
  return lookup(decoders, String(encoding).trim().toLowerCase())?.() ?? "unknown";
}
