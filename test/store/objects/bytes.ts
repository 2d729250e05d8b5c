import { createHash } from "node:crypto";
import fc from "fast-check";

/** Everything a stream holds. */
export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Bytes in which every position is told from its neighbours. */
export const pattern = (size: number): Buffer =>
  Buffer.from(Array.from({ length: size }, (_, at) => (at * 31) % 251));

/** The bytes in chunks of a size, as from a socket. */
export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const segment = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,12}$/);

/** Keys as this service makes them. */
export const keys: fc.Arbitrary<string> = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 5 }), fc.constantFrom("", ".png", ".mp4", ".json"))
  .map(([segments, extension]) => segments.join("/") + extension);
