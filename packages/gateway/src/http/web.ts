import { readBefore, tooLarge } from "./body-refusals.ts";
import { announce, type Exchange, type PieceCounter, type Sink, type TextEncoding } from "./exchange.ts";
import { GatheredPieces } from "./gather-pieces.ts";
import { toQuery } from "./query.ts";
import { Refusal } from "./refusal.ts";

const encoder = new TextEncoder();

/** The most bytes that wait for a client that reads too slowly. */
const HIGH_WATER = 64 * 1024;

/**
 * An exchange over a web-standard request. `response` settles when the head is known. A client that takes no bytes
 * for `stall` ms is disconnected.
 */
export function webExchange(request: Request, stall: number): Exchange & { response: Promise<Response> } {
  const url = new URL(request.url);
  const query = toQuery(url.search.slice(1));
  const sink = new WebSink(stall, request.method === "HEAD");
  request.signal?.addEventListener("abort", () => sink.abort(request.signal.reason), { once: true });
  return {
    method: request.method,
    path: url.pathname,
    target: url.pathname + url.search,
    query,
    header: (name) => request.headers.get(name) ?? undefined,
    body: (limit, counter) => readBody(request, limit, counter),
    pieces: async (limit, take) => void (await readPieces(request, limit, take)),
    // The runtime discards the unread rest of a body.
    isArriving: () => false,
    sink,
    response: sink.response,
  };
}

/** Reads the body of a request, and returns its size. */
async function readPieces(
  request: Request,
  limit: number,
  take: (piece: Uint8Array) => Promise<void> | undefined,
): Promise<number> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  if (request.bodyUsed || request.body?.locked) throw readBefore();
  const pieces = new GatheredPieces(take);
  let size = 0;
  const chunks = request.body?.[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks?.next().catch(() => {
        throw new Refusal("incomplete_body", "The request body ended before it was complete.");
      });
      if (!next || next.done) break;
      size += next.value.length;
      if (size > limit) throw tooLarge(limit);
      await pieces.add(next.value);
    }
    await pieces.end();
    return size;
  } catch (error) {
    void chunks?.return?.().catch(() => {});
    throw error;
  }
}

async function readBody(request: Request, limit: number, counter?: PieceCounter): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const size = await readPieces(request, limit, (chunk) => {
    counter?.add(chunk);
    chunks.push(chunk);
    return undefined;
  });
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

class WebSink implements Sink {
  declare stamp?: Record<string, string>;
  watch: Sink["watch"] = undefined;
  fail: Sink["fail"] = undefined;
  readonly response: Promise<Response>;
  readonly #stall: number;
  readonly #isHead: boolean;
  readonly #stream: ReadableStream<Uint8Array>;
  #resolve!: (response: Response) => void;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #pulled: (() => void) | undefined;
  readonly #leavers = new Set<() => void>();
  #sent = 0;
  #ended = false;

  constructor(stall: number, isHead: boolean) {
    this.#stall = stall;
    this.#isHead = isHead;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#stream = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#pulled?.(),
        cancel: () => {
          this.#ended = true;
          this.#clientLeft();
        },
      },
      { highWaterMark: HIGH_WATER, size: (chunk) => chunk?.byteLength ?? 0 },
    );
  }

  get started(): boolean {
    return this.#sent > 0;
  }

  get status(): number {
    return this.#sent;
  }

  get closed(): boolean {
    return this.#ended;
  }

  onLeave(listener: () => void): () => void {
    this.#leavers.add(listener);
    return () => void this.#leavers.delete(listener);
  }

  head(status: number, headers: Record<string, string>, usual?: Record<string, string>): void {
    announce(this);
    if (this.#sent > 0) return;
    const bodiless = this.#isHead || status === 204 || status === 304;
    // Created before the head counts as sent: if it is invalid, a refusal can still be sent.
    const made = new Response(bodiless ? null : this.#stream, {
      status,
      headers: { ...this.stamp, ...usual, ...headers },
    });
    this.#sent = status;
    this.#resolve(made);
    if (!this.#isHead) return;
    this.#ended = true;
    this.#clientLeft();
  }

  write(chunk: string | Uint8Array, encoding?: TextEncoding): Promise<void> | undefined {
    if (this.#ended) return undefined;
    this.#push(chunk, encoding);
    if ((this.#controller.desiredSize ?? 1) > 0) return undefined;
    return new Promise((done) => {
      const timer = setTimeout(() => this.abort(), this.#stall);
      this.#pulled = () => {
        clearTimeout(timer);
        this.#pulled = undefined;
        done();
      };
    });
  }

  end(chunk?: string | Uint8Array, encoding?: TextEncoding): void {
    if (this.#ended) return;
    this.#ended = true;
    if (chunk !== undefined && chunk !== "") this.#push(chunk, encoding);
    this.#controller.close();
  }

  abort(reason: unknown = new Error("The response could not be completed.")): void {
    if (this.#ended) return;
    this.#ended = true;
    // The runtime still waits for a response, and there will be no other.
    this.#resolve(new Response(null, { status: 500 }));
    this.#clientLeft();
    // A host that hears of a client that left by the same event cancels the body itself, and has no error to report.
    queueMicrotask(() => this.#controller.error(reason));
  }

  #clientLeft(): void {
    this.#pulled?.();
    for (const listener of this.#leavers) listener();
  }

  #push(chunk: string | Uint8Array, encoding: TextEncoding = "utf8"): void {
    if (typeof chunk !== "string") this.#controller.enqueue(chunk);
    else if (encoding === "utf8") this.#controller.enqueue(encoder.encode(chunk));
    else this.#controller.enqueue(Uint8Array.from(chunk, (unit) => unit.charCodeAt(0)));
  }
}
