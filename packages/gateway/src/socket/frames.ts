import type { AnyCodec, Failure } from "@manifold-gateway/core";
import { type Json, type JsonObject, parseJson, run } from "@manifold-gateway/core/codec";
import { envelope, type Refusal } from "../http/refusal.ts";

/** Headers that say how bytes travel over HTTP, and nothing of the answer. */
const HTTP_ONLY = new Set(["connection", "content-type", "content-length", "cache-control"]);

/** The headers of an answer in its first event; nothing where there are none. */
export function toldHeaders(headers: Record<string, string>): Record<string, string> | undefined {
  const told = Object.entries(headers).filter(([name]) => !HTTP_ONLY.has(name));
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}

/** The event that an error is on a socket: its status, its error object, and its headers. */
export function errorFrame(codec: AnyCodec, failure: Failure, headers: Record<string, string> = {}): string {
  const { error = null } = codec.failure.encode(failure).body;
  const told = toldHeaders(headers);
  return JSON.stringify({ type: "error", status: failure.status, error, ...(told && { headers: told }) });
}

/** The event that a refusal is. */
export const refusalFrame = (codec: AnyCodec, refusal: Refusal, path: string, now: number): string => {
  const body = envelope(refusal, path, now, codec);
  return errorFrame(codec, codec.failure.decode(refusal.status, body), refusal.options.headers);
};

/** The event that a whole answer with an error in it is. */
export const answerFrame = (
  codec: AnyCodec,
  status: number,
  text: string,
  headers: Record<string, string>,
): string => errorFrame(codec, codec.failure.decode(status, parseJson(text)), headers);

/**
 * An error inside a stream, which says no status there: the stream ends with it. A socket does not, so that its readers
 * look for the status and the nested shape; both are added, and what was said stays.
 */
export function withStatus(codec: AnyCodec, chunk: JsonObject): JsonObject {
  if (chunk.type !== "error" || chunk.status !== undefined) return chunk;
  const [event] = run(codec.reply.decode(), [chunk as Json]).filter(({ type }) => type === "failure");
  if (event?.type !== "failure") return chunk;
  const { error = null } = codec.failure.encode(event.failure).body;
  return { ...chunk, status: event.failure.status, error };
}
