import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { createTurn } from "@manifold-gateway/providers";
import { tooLarge } from "./body-refusals.ts";
import { announce, type Exchange, type PieceCounter, type Sink, type TextEncoding } from "./exchange.ts";
import { lingerAfterLastAnswer } from "./linger.ts";
import { readBody, readPieces, takeWhole } from "./node-body.ts";
import { type Query, toQuery } from "./query.ts";
import { countOf } from "./unauthenticated.ts";

const endOfTurn = createTurn();

/** In milliseconds. */
interface Timeouts {
  /** A client that takes no bytes for this long is disconnected. */
  clientWriteTimeout: number;
  /** The time for the first MiB of a body; each further MiB gets an eighth of it. */
  clientBodyTimeout: number;
}

/** An exchange over Node's request and response. */
export class NodeExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly target: string;
  sink: Sink;
  /** The parser hands over a head before it reads the rest of the same packet, which is here by the end of the turn. */
  readonly ready = endOfTurn;
  declare accept?: NonNullable<Exchange["accept"]>;
  readonly #req: IncomingMessage;
  readonly #timeouts: Timeouts;
  #query: Query | undefined = undefined;
  /** The whole body was read, though its end was not reported yet. */
  #isWhole = false;

  constructor(req: IncomingMessage, res: ServerResponse, timeouts: Timeouts) {
    const url = req.url ?? "/";
    // An absolute-form target names a host that the client chose: only its path is used.
    const target = url.startsWith("/") ? url : url.replace(/^[a-z]+:\/\/[^/]*/i, "") || "/";
    const mark = target.indexOf("?");
    this.method = req.method ?? "GET";
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.target = target;
    this.sink = new NodeSink(res, timeouts.clientWriteTimeout);
    this.#req = req;
    this.#timeouts = timeouts;
  }

  get address(): string | undefined {
    return this.#req.socket.remoteAddress;
  }

  query(name: string): string | undefined {
    this.#query ??= toQuery(this.target.slice(this.path.length + 1));
    return this.#query(name);
  }

  header(name: string): string | undefined {
    const value = this.#req.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  unauthenticated(): number {
    return countOf(this.#req)?.(this.#req) ?? 0;
  }

  async body(limit: number, counter?: PieceCounter): Promise<Uint8Array> {
    const req = this.#req;
    const announced = Number(req.headers["content-length"] ?? 0);
    if (announced > limit) throw tooLarge(limit);
    const whole = takeWhole(req, announced);
    if (whole) {
      this.#isWhole = true;
      counter?.add(whole);
      return whole;
    }
    const timeout = this.#timeouts.clientBodyTimeout;
    return readBody(req, { limit, announced, timeout, counter, isExclusive: req.socket instanceof Socket });
  }

  pieces(limit: number, take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void> {
    const announced = Number(this.#req.headers["content-length"] ?? 0);
    const timeout = this.#timeouts.clientBodyTimeout;
    return readPieces(this.#req, { limit, announced, timeout }, take);
  }

  isArriving(): boolean {
    const { complete, headers } = this.#req;
    if (complete || this.#isWhole) return false;
    return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  }
}

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

  head(status: number, headers: Record<string, string>, usual?: Record<string, string>): void {
    if (this.watch) announce(this);
    const res = this.#res;
    if (res.headersSent || res.destroyed) return;
    // A flat list is the form of a head that costs Node the least.
    const flat: string[] = [];
    const { stamp } = this;
    for (const name in stamp) if (!(name in headers)) flat.push(name, stamp[name] as string);
    for (const name in usual) if (!(name in headers)) flat.push(name, usual[name] as string);
    for (const name in headers) {
      const value = headers[name] as string;
      // Node writes it where it applies. As a header it would keep open a connection that ends with this answer.
      if (name !== "connection" || value !== "keep-alive") flat.push(name, value);
    }
    if (headers.connection === "close" && res.socket instanceof Socket) lingerAfterLastAnswer(res.socket);
    res.writeHead(status, flat);
    if (res.req.method === "HEAD") res.end();
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
