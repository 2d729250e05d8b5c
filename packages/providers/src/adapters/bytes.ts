import { type Json, parseJson } from "@manifold-gateway/core/codec";
import { UpstreamFault } from "../fault.ts";
import { faultOf } from "./fault.ts";

/** The most bytes of a whole reply; what a wire carries in base64 is a third more than its media. */
export const LARGEST_REPLY = 96 * 1024 * 1024;
/** The most bytes of a streamed one: what comes before its end is handed on and not kept. */
export const LARGEST_STREAM = 256 * 1024 * 1024;

/** The bytes of an answer as they come. Ends with `UpstreamFault` where they are cut or are more than `limit`. */
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
    // A reader that stops lets the connection go.
    if (!ended) await reader?.cancel().catch(() => {});
  }
}

/** The JSON value of a whole answer of at most `limit` bytes; nothing where it is none. */
export async function readJson(
  response: Response,
  limit: number,
  signal: AbortSignal,
): Promise<Json | undefined> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBytes(response, limit, signal)) chunks.push(chunk);
  return parseJson(new TextDecoder().decode(Buffer.concat(chunks)));
}

/** A stream whose first bytes are there already: `undefined` where it is empty. */
export async function begun(
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
