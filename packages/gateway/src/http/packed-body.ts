import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { tooLarge } from "./body-refusals.ts";
import { markExclusive } from "./buffer-release.ts";
import type { Exchange, PieceCounter } from "./exchange.ts";
import { quote, Refusal } from "./refusal.ts";

/** The largest window of zstd in HTTP, as a power of two (RFC 9659): a frame can demand it before it has any data. */
const ZSTD_WINDOW = 23;
const PIECE = { chunkSize: 64 * 1024 };

type Decoder = (packed: Uint8Array) => Transform;

const gzip: Decoder = () => zlib.createGunzip(PIECE);
const zstd: Decoder = () =>
  zlib.createZstdDecompress({ ...PIECE, params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW } });
/** The decoders of encoded bodies. Not every runtime has zstd. */
const decoders = new Map<string, Decoder>([
  ["gzip", gzip],
  ["x-gzip", gzip],
  // Some clients leave out the header that the name stands for.
  ["deflate", (packed) => (hasZlibHeader(packed) ? zlib.createInflate(PIECE) : zlib.createInflateRaw(PIECE))],
  ["br", () => zlib.createBrotliDecompress(PIECE)],
  ...(zlib.createZstdDecompress === undefined ? [] : ([["zstd", zstd]] as const)),
]);
const NAMES = [...decoders.keys()].filter((name) => name !== "x-gzip");

const hasZlibHeader = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;

/** Counts a body on arrival. */
export interface BodyCounter extends PieceCounter {
  /** Counts a piece that is still encoded, if only `add` counts the contents. */
  addPacked?(piece: Uint8Array): void;
}

/**
 * Reads the whole body of a request, decoded. `limit` applies to the bytes as they come and to those that they decode
 * to: decoding stops there. Refuses unknown encodings before it reads.
 */
export async function readDecoded(
  exchange: Pick<Exchange, "header" | "body">,
  limit: number,
  counter: BodyCounter,
): Promise<Uint8Array> {
  const name = (exchange.header("content-encoding") ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return exchange.body(limit, counter);
  const decoder = decoders.get(name);
  if (!decoder) throw unknown(name);
  const packed = await exchange.body(limit, { add: (piece) => counter.addPacked?.(piece) });
  const stream = decoder(packed);
  stream.end(packed);
  // Any other error is a refusal, or a defect of this program.
  let broken: unknown;
  stream.once("error", (error) => {
    broken = error;
  });
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > limit) throw tooLarge(limit);
      counter.add(piece);
      pieces.push(piece);
    }
  } catch (error) {
    throw error === broken ? damaged(name) : error;
  }
  const whole = Buffer.concat(pieces, size);
  markExclusive(whole);
  return whole;
}

const unknown = (name: string): Refusal =>
  new Refusal(
    "unsupported_encoding",
    `The content encoding ${quote(name)} is not accepted: send one of ${NAMES.join(", ")}, or identity.`,
    { headers: { "accept-encoding": NAMES.join(", "), connection: "close" } },
  );

const damaged = (name: string): Refusal =>
  new Refusal("invalid_encoding", `The request body cannot be decoded as ${name}.`);
