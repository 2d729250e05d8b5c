import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { lookup } from "@manifold-gateway/core/codec";
import { UpstreamFault } from "./fault.ts";
import { type ByteProducer, UpstreamBody } from "./upstream-body.ts";

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The decoded bytes of an answer with this `content-encoding`. Its fault is `encoding` if they cannot be decoded. */
export function encodedBody(
  producer: ByteProducer,
  encoding: string | string[],
  length?: string | string[],
): UpstreamBody {
  if (encoding === "identity" || encoding === "") return new UpstreamBody(producer, length);
  const make = lookup(decoders, String(encoding).trim().toLowerCase());
  if (make) return new UpstreamBody(producer, length, make());
  // Several encodings, or one that was not requested: the bytes cannot be decoded.
  const body = new UpstreamBody(producer, length);
  const fault = new UpstreamFault("encoding");
  body.fail(fault);
  producer.abort(fault);
  return body;
}
