import type { Readable } from "node:stream";
import { readBefore, tooLarge } from "./body-refusals.ts";
import { markExclusive } from "./buffer-release.ts";
import type { PieceCounter } from "./exchange.ts";
import { GatheredPieces } from "./gather-pieces.ts";
import { Refusal } from "./refusal.ts";

/** A body on arrival: of a request, or of a message of a WebSocket. */
export interface Incoming extends Readable {
  /** All of the body has arrived. */
  readonly complete: boolean;
}

export interface Reading {
  /** The most bytes to accept. */
  limit: number;
  /** The announced length; 0 if it is unknown. */
  announced: number;
  /** See `Limits.clientBodyTimeout`. */
  timeout: number;
  counter?: PieceCounter | undefined;
  /** No other code uses the memory of the pieces, so it can be freed. */
  isExclusive: boolean;
}

/**
 * Takes a body of which all has arrived, without waiting for the event that says so. Returns `undefined` if some is
 * missing, if its length is unknown, or if other code reads it.
 */
export function takeWhole(req: Incoming, announced: number): Buffer | undefined {
  if (announced === 0 || req.readableLength !== announced) return undefined;
  if (req.readableFlowing !== null || req.destroyed) return undefined;
  const bytes = req.read() as Buffer;
  // Lets the stream end.
  req.resume();
  return bytes;
}

/** Reads a whole body. */
export async function readBody(
  req: Incoming,
  { counter, isExclusive, ...reading }: Reading,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  await readPieces(req, reading, (chunk) => {
    counter?.add(chunk);
    chunks.push(chunk);
    size += chunk.length;
    return undefined;
  });
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : joined(chunks, size, isExclusive);
}

/** Reads a body piece by piece. While `take` is not done with one, the client has to wait. */
export function readPieces(
  req: Incoming,
  { limit, announced, timeout }: Pick<Reading, "limit" | "announced" | "timeout">,
  take: (chunk: Uint8Array) => Promise<void> | undefined,
): Promise<void> {
  if (announced > limit) return Promise.reject(tooLarge(limit));
  if (req.readableEnded) return Promise.reject(readBefore());
  // A client that disconnected before listeners are attached causes no event.
  if (req.destroyed) return Promise.reject(incomplete());
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const pieces = new GatheredPieces(take);
  let size = 0;
  let taking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const refuse = (refusal: unknown): void => {
    clearTimeout(timer);
    req.removeAllListeners("data");
    req.pause();
    reject(refusal);
  };
  const cut = (): void => {
    clearTimeout(timer);
    if (!req.readableEnded) reject(incomplete());
  };
  const began = performance.now();
  /** Refuses a body that is late. A longer one may take longer. */
  const look = (): void => {
    const left = began + timeFor(Math.max(size, announced), timeout) - performance.now();
    if (left > 0) timer = setTimeout(look, left);
    else refuse(tooSlow());
  };
  if (!req.complete) timer = setTimeout(look, timeFor(announced, timeout));
  req.on("data", (chunk: Buffer) => {
    size += chunk.length;
    try {
      if (size > limit) throw tooLarge(limit);
      taking = pieces.add(chunk);
      if (!taking) return;
      req.pause();
      taking.then(() => req.resume(), refuse);
    } catch (refusal) {
      refuse(refusal);
    }
  });
  req.on("end", () => {
    clearTimeout(timer);
    req.off("close", cut);
    // A piece may still be taken: a stream that is paused ends all the same.
    Promise.resolve(taking)
      .then(() => pieces.end())
      .then(resolve, reject);
  });
  req.on("error", cut);
  req.on("close", cut);
  return promise;
}

const incomplete = (): Refusal =>
  new Refusal("incomplete_body", "The request body ended before it was complete.");

const MIB = 1024 * 1024;

/** The time that a body of this size may take to arrive, in milliseconds. */
const timeFor = (size: number, timeout: number): number => (1 + Math.max(0, size / MIB - 1) / 8) * timeout;

const tooSlow = (): Refusal =>
  new Refusal("request_timeout", "The request body did not arrive in time.", {
    headers: { connection: "close" },
  });

/**
 * Joins the chunks. Each came from the socket in a buffer of its own, which is freed at once: left to the garbage
 * collector, the chunks of about thirty large bodies fill the whole memory.
 */
function joined(chunks: readonly Uint8Array[], size: number, isExclusive: boolean): Buffer {
  const whole = Buffer.concat(chunks, size);
  markExclusive(whole);
  if (!isExclusive) return whole;
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  return whole;
}
