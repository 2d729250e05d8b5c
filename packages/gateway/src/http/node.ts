import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Exchange, Sink, TextEncoding } from "./exchange.ts";
import { Refusal } from "./refusal.ts";
import { type Query, tooLarge, toQuery } from "./shared.ts";

/** An exchange over Node's own request and response. A reader that takes nothing for `stall` ms is cut off. */
export function nodeExchange(req: IncomingMessage, res: ServerResponse, stall: number): Exchange {
  const url = req.url ?? "/";
  // An absolute-form target names a host of the caller's choice: only its path counts.
  const target = url.startsWith("/") ? url : url.replace(/^[a-z]+:\/\/[^/]*/i, "") || "/";
  const mark = target.indexOf("?");
  let query: Query | undefined;
  return {
    method: req.method ?? "GET",
    path: mark < 0 ? target : target.slice(0, mark),
    target,
    query(name) {
      query ??= toQuery(mark < 0 ? "" : target.slice(mark + 1));
      return query(name);
    },
    header(name) {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    ...(req.socket.remoteAddress !== undefined && { address: req.socket.remoteAddress }),
    body: (limit) => readBody(req, limit),
    sink: new NodeSink(res, stall),
  };
}

function readBody(req: IncomingMessage, limit: number): Promise<Uint8Array> {
  if (Number(req.headers["content-length"] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  if (req.readableEnded) return Promise.reject(new Refusal("body_consumed", READ_BEFORE));
  return new Promise((resolve, reject) => {
    // Whoever left before this place was reached is not heard of again.
    const cut = (): void => {
      if (!req.readableEnded)
        reject(new Refusal("incomplete_body", "The request body ended before it was complete."));
    };
    if (req.destroyed) return cut();
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        req.removeAllListeners("data");
        req.pause();
        reject(tooLarge(limit));
      } else chunks.push(chunk);
    });
    req.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : joined(req, chunks, size)));
    req.on("error", cut);
    req.on("close", cut);
  });
}

/**
 * The chunks as one. Each came off the socket in a buffer of its own, which is given back here and now: left to the
 * garbage collector, the chunks of some thirty large bodies make it go through all the memory there is.
 */
function joined(req: IncomingMessage, chunks: readonly Buffer[], size: number): Buffer {
  const whole = Buffer.concat(chunks, size);
  if (!(req.socket instanceof Socket)) return whole;
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  return whole;
}

const READ_BEFORE =
  "The request body was read before it came to the gateway: mount the gateway before whatever parses bodies.";

/**
 * A class, and not a literal with getters: each such literal has a hidden class of its own, which lives as long as the
 * program's code does and keeps the whole request with it.
 */
class NodeSink implements Sink {
  declare stamp?: Record<string, string>;
  readonly #res: ServerResponse;
  readonly #stall: number;

  constructor(res: ServerResponse, stall: number) {
    this.#res = res;
    this.#stall = stall;
    // A socket that breaks is a reader that left; without a listener it would end the process.
    res.on("error", ignore);
  }

  get started(): boolean {
    return this.#res.headersSent;
  }

  get status(): number {
    return this.#res.headersSent ? this.#res.statusCode : 0;
  }

  get closed(): boolean {
    return this.#res.destroyed || this.#res.closed;
  }

  head(status: number, headers: Record<string, string>): void {
    const res = this.#res;
    if (!res.headersSent && !res.destroyed) res.writeHead(status, { ...this.stamp, ...headers });
  }

  write(chunk: string | Uint8Array, encoding: TextEncoding = "utf8"): Promise<void> | undefined {
    const res = this.#res;
    if (res.destroyed || res.writableEnded) return undefined;
    return res.write(chunk, encoding) ? undefined : this.#drained();
  }

  end(chunk?: string | Uint8Array, encoding: TextEncoding = "utf8"): void {
    const res = this.#res;
    if (res.destroyed || res.writableEnded) return;
    if (chunk === undefined) res.end();
    else res.end(chunk, encoding);
    // A long answer may take its time, as long as it moves: a socket's timeout starts anew with every piece taken.
    if ((res.socket?.writableLength ?? 0) > 0) res.setTimeout(this.#stall, () => res.destroy());
  }

  abort(): void {
    this.#res.destroy();
  }

  #drained(): Promise<void> {
    const res = this.#res;
    return new Promise((resolve) => {
      const timer = setTimeout(() => res.destroy(), this.#stall);
      const done = (): void => {
        clearTimeout(timer);
        res.off("drain", done);
        res.off("close", done);
        resolve();
      };
      res.on("drain", done);
      res.on("close", done);
    });
  }
}

const ignore = (): void => {};
