import type { JsonBody } from "./json-body.ts";
import type { Peer } from "./peer.ts";

/**
 * A request and the destination of its answer. Two files implement it, `node.ts` and `web.ts`: on Node the byte path
 * does without web classes, and the same pipeline serves any runtime.
 */
export interface Exchange {
  method: string;
  /** The path without the query, still percent-encoded. */
  path: string;
  /** Path and query as they arrived. */
  target: string;
  query(name: string): string | undefined;
  header(name: string): string | undefined;
  /** The peer's address, if the runtime knows it; behind a proxy it is the proxy's. */
  readonly address?: string | undefined;
  /**
   * Waits until the requests that arrive at this moment are here. They go on together, which costs each of them less.
   * Absent: there is nothing to wait for.
   */
  ready?(): Promise<void>;
  /** Reads the whole body. Rejects with a 413 if it exceeds `limit` bytes, and with any error that `counter` throws. */
  body(limit: number, counter?: PieceCounter): Promise<Uint8Array>;
  /**
   * Reads the body piece by piece, each once `take` has kept the one before; otherwise as `body`. Absent: bodies come
   * whole.
   */
  pieces?(limit: number, take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void>;
  /**
   * Counts the request for its address, because it has no valid credential. Returns the milliseconds until the
   * address may send another, or 0 if this one may be answered. Absent if the host does not count.
   */
  unauthenticated?(): number;
  /** Upgrades to a WebSocket, if the client asked for it and the host can. `undefined` if the client has left. */
  accept?(): Promise<Peer | undefined>;
  /** The id of the request that opened the WebSocket, if this request came over one. */
  socket?: string;
  /** Converts the JSON body to the request that it stands for, as JSON text, if that is not the body itself. */
  toRequest?(body: JsonBody): Uint8Array;
  /** Checks whether more of the body will arrive. */
  isArriving(): boolean;
  sink: Sink;
}

/** Counts the pieces of a body on arrival. */
export interface PieceCounter {
  /** Counts a piece. An error that it throws ends the reading. */
  add(piece: Uint8Array): void;
}

/** Encodings from text to bytes, `utf8` by default; `latin1` text has one byte in each character. */
export type TextEncoding = "utf8" | "latin1";

/** The destination of an answer. Writing has no effect after the client has left. */
export interface Sink {
  /** The head was sent: it is too late for a refusal. */
  readonly started: boolean;
  /** The status that was sent; 0 before. */
  readonly status: number;
  /** The client has left. */
  readonly closed: boolean;
  /** Calls `listener` once, when the client leaves. The returned function removes the listener. */
  onLeave(listener: () => void): () => void;
  /** Headers that are added to every head. */
  stamp?: Record<string, string>;
  /** Called once, just before a head is sent. */
  watch?: { firstByte?(): void } | undefined;
  /**
   * Ends a stream by an error: set while its head and signs of life were sent, but nothing of an answer. `body` is the
   * error in the surface's form.
   */
  fail?: ((status: number, body: unknown) => void) | undefined;
  /** Sends the head: `headers`, and those of `usual` that they do not name. It ends the answer to a `HEAD`. */
  head(status: number, headers: Record<string, string>, usual?: Record<string, string>): void;
  /** Returns a promise only if the client reads more slowly than the writer writes: await it before writing more. */
  write(chunk: string | Uint8Array, encoding?: TextEncoding): Promise<void> | undefined;
  end(chunk?: string | Uint8Array, encoding?: TextEncoding): void;
  /** Breaks the connection, so that the client does not take a partial answer for a whole one. */
  abort(): void;
}

/** Calls a sink's `watch` before its first head. */
export function announce(sink: Pick<Sink, "watch">): void {
  const { watch } = sink;
  if (!watch) return;
  sink.watch = undefined;
  watch.firstByte?.();
}
