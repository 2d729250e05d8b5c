import type { Exchange, Sink, TextEncoding } from "./exchange.ts";
import { Refusal } from "./refusal.ts";
import { tooLarge, toQuery } from "./shared.ts";

/** How many bytes may wait for a reader that is slower than the writer. */
const HIGH_WATER = 64 * 1024;

/**
 * An exchange over a web-standard request; `response` settles when the head is known. A reader that takes nothing for
 * `stall` ms is cut off.
 */
export function webExchange(request: Request, stall: number): Exchange & { response: Promise<Response> } {
  const url = new URL(request.url);
  const query = toQuery(url.search.slice(1));
  const { sink, response } = webSink(stall);
  return {
    method: request.method,
    path: url.pathname,
    target: url.pathname + url.search,
    query,
    header: (name) => request.headers.get(name) ?? undefined,
    body: (limit) => readBody(request, limit),
    sink,
    response,
  };
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > limit) break;
      chunks.push(chunk);
    }
  } catch {
    throw new Refusal(400, "The request body ended before it was complete.");
  }
  if (size > limit) throw tooLarge(limit);
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function webSink(stall: number): { sink: Sink; response: Promise<Response> } {
  let resolve: (response: Response) => void;
  const response = new Promise<Response>((settle) => {
    resolve = settle;
  });
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let pulled: (() => void) | undefined;
  let sent = 0;
  let ended = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (made) => {
        controller = made;
      },
      pull: () => pulled?.(),
      cancel: () => {
        ended = true;
        pulled?.();
      },
    },
    { highWaterMark: HIGH_WATER, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  const push = (chunk: string | Uint8Array, encoding: TextEncoding = "utf8"): void => {
    if (typeof chunk !== "string") controller?.enqueue(chunk);
    else if (encoding === "utf8") controller?.enqueue(encoder.encode(chunk));
    else controller?.enqueue(Uint8Array.from(chunk, (unit) => unit.charCodeAt(0)));
  };
  const sink: Sink = {
    get started() {
      return sent > 0;
    },
    get status() {
      return sent;
    },
    get closed() {
      return ended;
    },
    head(status, headers) {
      if (sent > 0) return;
      const bodiless = status === 204 || status === 304;
      // Made before it counts as sent: a head that cannot be written has to leave room for a refusal.
      const made = new Response(bodiless ? null : stream, {
        status,
        headers: { ...sink.stamp, ...headers },
      });
      sent = status;
      resolve(made);
    },
    write(chunk, encoding) {
      if (ended) return undefined;
      push(chunk, encoding);
      if ((controller?.desiredSize ?? 1) > 0) return undefined;
      return new Promise((done) => {
        const timer = setTimeout(() => {
          sink.abort();
          pulled?.();
        }, stall);
        pulled = () => {
          clearTimeout(timer);
          pulled = undefined;
          done();
        };
      });
    },
    end(chunk, encoding) {
      if (ended) return;
      ended = true;
      if (chunk !== undefined && chunk !== "") push(chunk, encoding);
      controller?.close();
    },
    abort() {
      if (ended) return;
      ended = true;
      // Somebody waits for a head, and no other will come.
      resolve(new Response(null, { status: 500 }));
      controller?.error(new Error("The answer could not be completed."));
    },
  };
  return { sink, response };
}
