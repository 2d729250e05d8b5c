import type { AnyCodec } from "@manifold-gateway/core";
import type { Answer } from "../ports/context.ts";
import type { Log } from "../ports/log.ts";
import type { Exchange } from "./exchange.ts";
import { internalError, isDefect, logDefect, missingStorage } from "./fault.ts";
import { envelope, Refusal } from "./refusal.ts";
import { errorSource } from "./source.ts";

/** Writes a whole answer, whose status may be the route's usual one. */
export function write(exchange: Exchange, answer: Answer, usual = 200): void {
  const { status = usual, headers = {}, body } = answer;
  if (exchange.sink.fail) {
    exchange.sink.fail(status, body);
    return;
  }
  if (body === undefined) {
    exchange.sink.head(status, headers);
    exchange.sink.end();
    return;
  }
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const length = String(typeof text === "string" ? Buffer.byteLength(text) : text.byteLength);
  exchange.sink.head(status, headers, { "content-type": "application/json", "content-length": length });
  exchange.sink.end(text);
}

interface Refusing {
  codec?: AnyCodec | undefined;
  now: number;
  log: Log;
  /** The request's id. */
  id: string;
  /** The id of the request's generation, which may have been charged. */
  generation?: string | undefined;
}

/**
 * Answers an error: with the envelope, within a stream of which nothing but the head was sent, or by breaking the
 * connection if the answer has begun. Returns the refusal that was answered.
 */
export function refuse(
  exchange: Exchange,
  error: unknown,
  { codec, now, log, id, generation }: Refusing,
): Refusal {
  const { sink } = exchange;
  const refusal = toRefusal(error, id, generation);
  if (isDefect(error) || refusal.code === "body_consumed")
    logDefect(log, error, { request: id, ...(generation !== undefined && { generation }) });
  const body = envelope(refusal, exchange.path, now, codec);
  if (sink.started) {
    if (sink.fail) sink.fail(refusal.status, body);
    else sink.abort();
    return refusal;
  }
  // The unread rest of a refused body would block the connection.
  const close = exchange.isArriving() ? { connection: "close" } : undefined;
  write(exchange, {
    status: refusal.status,
    headers: { ...errorSource.service, ...refusal.options.headers, ...close },
    body,
  });
  return refusal;
}

function toRefusal(error: unknown, id: string, generation: string | undefined): Refusal {
  if (error instanceof Refusal) return error;
  const known: Record<string, string> = generation === undefined ? {} : { "x-generation-id": generation };
  const missing = missingStorage(error);
  if (missing === undefined) return new Refusal("internal_error", internalError(id), { headers: known });
  return new Refusal(`${missing}_unavailable`, `The service cannot reach its ${missing}.`, {
    headers: { ...known, "retry-after": "1" },
  });
}
