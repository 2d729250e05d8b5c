import type { AnyCodec, Failure } from "@manifold-gateway/core";
import { type Json, type JsonObject, parseJson, run } from "@manifold-gateway/core/codec";
import { envelope, type Refusal } from "../http/refusal.ts";

/** Headers about the transport over HTTP, which do not apply to an event. */
const HTTP_ONLY = new Set(["connection", "content-type", "content-length", "cache-control"]);

/** The headers of an answer for its first event; undefined if there are none. */
export function eventHeaders(headers: Record<string, string>): Record<string, string> | undefined {
  const entries = Object.entries(headers).filter(([name]) => !HTTP_ONLY.has(name));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Writes an error as an event: its status, its error object, and its headers. */
export function errorFrame(codec: AnyCodec, failure: Failure, headers: Record<string, string> = {}): string {
  const { error = null } = codec.failure.encode(failure).body;
  const frameHeaders = eventHeaders(headers);
  return JSON.stringify({
    type: "error",
    status: failure.status,
    error,
    ...(frameHeaders && { headers: frameHeaders }),
  });
}

/** Writes a refusal as an event. */
export const refusalFrame = (codec: AnyCodec, refusal: Refusal, path: string, now: number): string => {
  const body = envelope(refusal, path, now, codec);
  return errorFrame(codec, codec.failure.decode(refusal.status, body), refusal.options.headers);
};

/** Writes a unary answer that holds an error as an event. */
export const answerFrame = (
  codec: AnyCodec,
  status: number,
  text: string,
  headers: Record<string, string>,
): string => errorFrame(codec, codec.failure.decode(status, parseJson(text)), headers);

/**
 * Adds the status and the nested error object to an error event of a stream, and the type that some providers leave
 * out. Over HTTP the stream ends with the error; a socket stays open, so its readers need all three. The event's own
 * members stay.
 */
export function withStatus(codec: AnyCodec, chunk: JsonObject): JsonObject {
  const isComplete = chunk.type === "error" ? chunk.status !== undefined : chunk.type !== undefined;
  if (isComplete) return chunk;
  const [event] = run(codec.reply.decode(), [chunk as Json]).filter(({ type }) => type === "failure");
  if (event?.type !== "failure") return chunk;
  const { error = null } = codec.failure.encode(event.failure).body;
  return { ...chunk, type: "error", status: statusOf(event.failure), error };
}

/** The status of an error inside a stream. One without a status of its own is a failure of the provider. */
const statusOf = ({ status }: Failure): number => (status === 500 ? 502 : status);
