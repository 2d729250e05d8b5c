import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { announce, type Exchange, type Sink, type TextEncoding } from "./exchange.ts";
import { readBody } from "./node-body.ts";
import { type Query, toQuery } from "./shared.ts";
import { countOf } from "./unauthenticated.ts";

/** In milliseconds. */
interface Timeouts {
  /** A client that takes no bytes for this long is disconnected. */
  clientWriteTimeout: number;
  /** The time for the first MiB of a body; each further MiB gets an eighth of it. */
  clientBodyTimeout: number;
}

/** An exchange over Node's request and response. */
export function nodeExchange(req: IncomingMessage, res: ServerResponse, timeouts: Timeouts): Exchange {
  const url = req.url ?? "/";
  // An absolute-form target names a host that the client chose: only its path is used.
  const target = url.startsWith("/") ? url : url.replace(/^[a-z]+:\/\/[^/]*/i, "") || "/";
  const mark = target.indexOf("?");
  let query: Query | undefined;
  const count = countOf(req);
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
    ...(count && { unauthenticated: () => count(req) }),
    body: (limit, counter) =>
      readBody(req, {
        ...{ limit, counter },
        announced: Number(req.headers["content-length"] ?? 0),
        timeout: timeouts.clientBodyTimeout,
        isExclusive: req.socket instanceof Socket,
      }),
    isArriving: () => !req.complete && hasBody(req),
    sink: new NodeSink(res, timeouts.clientWriteTimeout),
  };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * A class instead of a literal with getters: each such literal would have a hidden class of its own, which lives as
 * long as the program's code and keeps the whole request in memory.
 */
class NodeSink implements Sink {
  declare stamp?: Record<string, string>;
  watch: Sink["watch"] = undefined;
  fail: Sink["fail"] = undefined;
  readonly #res: ServerResponse;
  readonly #stall: number;

  constructor(res: ServerResponse, stall: number) {
    this.#res = res;
    this.#stall = stall;
    // A broken socket is a client that left. Without this listener, the error would end the process.
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

  onLeave(listener: () => void): () => void {
    this.#res.once("close", listener);
    return () => void this.#res.off("close", listener);
  }

  head(status: number, headers: Record<string, string>): void {
    announce(this);
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
    // A long answer may take any time while the client reads: each piece taken restarts the socket's timeout.
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
