import { type Json, parseBounded } from "@manifold-gateway/core/codec";
import { UpstreamFault } from "../transport/fault.ts";
import { faultOf } from "./fault.ts";

/** The most bytes of a whole reply; media in base64 is a third longer. */
export const LARGEST_REPLY = 96 * 1024 * 1024;
/** The most bytes of a streamed reply, which is passed on and not kept in memory. */
export const LARGEST_STREAM = 256 * 1024 * 1024;

/** The bytes of an answer as they arrive. Throws `UpstreamFault` if they are cut short or exceed `limit`. */
export async function* readBytes(
  response: Response,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  let size = 0;
  let ended = !reader;
  try {
    while (reader && !ended) {
      if (signal.aborted) throw new UpstreamFault("cancelled");
      const { done, value } = await reader.read();
      ended = done;
      if (!value) continue;
      size += value.length;
      if (size > limit) throw new UpstreamFault("too_large");
      yield value;
    }
  } catch (error) {
    throw faultOf(error, signal);
  } finally {
    // A reader that stops early releases the connection.
    if (!ended) await reader?.cancel().catch(() => {});
  }
}

/** The JSON value of a whole answer of at most `limit` bytes; undefined if it is not JSON. */
export async function readJson(
  response: Response,
  limit: number,
  signal: AbortSignal,
): Promise<Json | undefined> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBytes(response, limit, signal)) chunks.push(chunk);
  return parseBounded(new TextDecoder().decode(Buffer.concat(chunks)));
}

/** Waits for the first bytes of a stream; `undefined` if it is empty. */
export async function firstBytes(
  chunks: AsyncGenerator<Uint8Array, void>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  let first = await chunks.next();
  while (!first.done && first.value.length === 0) first = await chunks.next();
  if (first.done) return undefined;
  const { value } = first;
  return (async function* () {
    try {
      yield value;
      yield* chunks;
    } finally {
      await chunks.return();
    }
  })();
}
