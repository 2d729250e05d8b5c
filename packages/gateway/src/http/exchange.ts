import type { Peer } from "../socket/peer.ts";
import type { JsonBody } from "./json-body.ts";

/**
 * One request and where its answer goes. Two implementations, `node.ts` and `web.ts`, so that the byte path on
 * Node pays for no web classes and the same pipeline serves any runtime.
 */
export interface Exchange {
  method: string;
  /** Without the query, still percent-encoded. */
  path: string;
  /** Path and query as they arrived. */
  target: string;
  query(name: string): string | undefined;
  header(name: string): string | undefined;
  /** The address of the peer, where the runtime names it: a proxy's, where one is in front. */
  address?: string;
  /** The whole body. Rejects with a 413 refusal past `limit` bytes, and with what `watch` throws. */
  body(limit: number, watch?: Watch): Promise<Uint8Array>;
  /**
   * Counts it for its address, as one without a valid credential: milliseconds until the next may come, 0 if this one
   * may be answered. Absent where the host counts nothing.
   */
  unauthenticated?(): number;
  /** Makes it a WebSocket, where it asks for one and the host can; nothing where the client has left. */
  accept?(): Promise<Peer | undefined>;
  /** It came over a WebSocket: the id of the request that opened that. */
  socket?: string;
  /** The request that its JSON body stands for, as JSON text, where that is not the body itself. */
  toRequest?(body: JsonBody): Uint8Array;
  /** More of the body is on its way. */
  isArriving(): boolean;
  sink: Sink;
}

/** Is shown each piece of a body as it comes; what it throws ends the reading. */
export type Watch = (piece: Uint8Array) => void;

/** Encodings from text to bytes; `latin1` is bytes already, one in each character. `utf8` where nothing is said. */
export type TextEncoding = "utf8" | "latin1";

/** The destination of an answer. Writing after the reader has left does nothing. */
export interface Sink {
  /** The head went out: nothing can be refused any more. */
  readonly started: boolean;
  /** Of the head that went out; 0 before. */
  readonly status: number;
  /** The reader has left. */
  readonly closed: boolean;
  /** Calls once, when the reader leaves; the function that comes back takes the listener away. */
  onLeave(listener: () => void): () => void;
  /** Headers that every head has besides its own. */
  stamp?: Record<string, string>;
  /** Hears once that a head is about to go out. */
  watch?: { firstByte?(): void } | undefined;
  head(status: number, headers: Record<string, string>): void;
  /** Returns a promise only where the reader is slower than the writer: wait for it before writing more. */
  write(chunk: string | Uint8Array, encoding?: TextEncoding): Promise<void> | undefined;
  end(chunk?: string | Uint8Array, encoding?: TextEncoding): void;
  /** Breaks the connection: the reader must not take what it got for whole. */
  abort(): void;
}

/** Calls the watch of a sink whose head goes out, the first time. */
export function announce(sink: Pick<Sink, "watch">): void {
  const { watch } = sink;
  if (!watch) return;
  sink.watch = undefined;
  watch.firstByte?.();
}
