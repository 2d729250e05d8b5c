import type { AnyCodec } from "@manifold/core";
import { ObjectFault, StoreUnavailable } from "@manifold/store";
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

interface Refusing {
  codec?: AnyCodec | undefined;
  now: number;
  log: Log;
  /** Of the request. */
  id: string;
  /** That the request became; it may have been charged. */
  generation?: string | undefined;
}

/** Answers whatever was thrown: in the envelope, or by breaking off where an answer has begun. */
export function refuse(
  exchange: Exchange,
  error: unknown,
  { codec, now, log, id, generation }: Refusing,
): void {
  const { sink } = exchange;
  const refusal = toRefusal(error, id, generation);
  if (refusal.status === 500)
    log.error({ request: id, error: error instanceof Error ? error.stack : String(error) }, "defect");
  if (sink.started) {
    sink.abort();
    return;
  }
  const body = envelope(refusal, exchange.path, now, codec);
  write(exchange, { status: refusal.status, headers: refusal.options.headers ?? {}, body });
}

function toRefusal(error: unknown, id: string, generation: string | undefined): Refusal {
  if (error instanceof Refusal) return error;
  const known: Record<string, string> = generation === undefined ? {} : { "x-generation-id": generation };
  const missing = missingOf(error);
  if (missing === undefined) return new Refusal(500, `Internal error. Request ${id}.`, { headers: known });
  return new Refusal(503, `The service cannot reach its ${missing}.`, {
    headers: { ...known, "retry-after": "1" },
  });
}

/** What the service is without for now, if that is the error. Other faults of the object store are defects of ours. */
function missingOf(error: unknown): string | undefined {
  if (error instanceof StoreUnavailable) return "database";
  const gone = error instanceof ObjectFault && (error.code === "unavailable" || error.code === "damaged");
  return gone ? "files" : undefined;
}
