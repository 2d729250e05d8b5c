import type { AnyCodec } from "@manifold/core";
import { StoreUnavailable } from "@manifold/store";
import type { Answer } from "../context.ts";
import type { Log } from "../services.ts";
import type { Exchange } from "./exchange.ts";
import { envelope, Refusal } from "./refusal.ts";

/** Writes a whole answer. */
export function write(exchange: Exchange, { status = 200, headers = {}, body }: Answer): void {
  const bare = body === undefined || exchange.method === "HEAD";
  if (bare) {
    exchange.sink.head(status, headers);
    exchange.sink.end();
    return;
  }
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const length = String(typeof text === "string" ? Buffer.byteLength(text) : text.byteLength);
  exchange.sink.head(status, { "content-type": "application/json", "content-length": length, ...headers });
  exchange.sink.end(text);
}

/** Answers whatever was thrown: in the envelope, or by breaking off where an answer has begun. */
export function refuse(
  exchange: Exchange,
  error: unknown,
  { codec, now, log, id }: { codec?: AnyCodec | undefined; now: number; log: Log; id: string },
): void {
  const { sink } = exchange;
  const refusal = toRefusal(error, id);
  if (refusal.status === 500)
    log.error({ request: id, error: error instanceof Error ? error.stack : String(error) }, "defect");
  if (sink.started) {
    sink.abort();
    return;
  }
  const body = envelope(refusal, exchange.path, now, codec);
  write(exchange, { status: refusal.status, headers: refusal.options.headers ?? {}, body });
}

function toRefusal(error: unknown, id: string): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreUnavailable)
    return new Refusal(503, "The service cannot reach its database.", { headers: { "retry-after": "1" } });
  return new Refusal(500, `Internal error. Request ${id}.`);
}
