import { joinBytes, utf8 } from "./bytes.ts";
import type { UpstreamBody } from "./upstream-body.ts";

/**
 * A body in pieces, sent without joining them. After a piece of 64 KiB or more, the next is taken only once the socket
 * has sent it: a request for the next piece, or the end of iteration, proves that the previous one was sent.
 */
export interface Pieces extends Iterable<Uint8Array> {
  /** The total number of bytes. */
  readonly length: number;
}

/** The body of a request. */
export type Payload = string | Uint8Array | Pieces;

/** The body in one piece. */
export function bytesOf(payload: Payload): Uint8Array {
  if (typeof payload === "string") return utf8(payload);
  return payload instanceof Uint8Array ? payload : joinBytes([...payload], payload.length);
}

/** One call to a provider. */
export interface UpstreamRequest {
  /** Scheme, host and port. */
  origin: string;
  /** Path and query. */
  path: string;
  /** The HTTP method. */
  method: "GET" | "POST" | "DELETE";
  /** The headers, with the credential. */
  headers: Record<string, string>;
  /** The body; absent for requests without one. */
  body?: Payload;
  /** Timeouts in milliseconds; see `Provider.timeouts`. */
  firstByte?: number;
  /** Milliseconds between two bytes. */
  idle?: number;
  /** Ends the call with the fault `cancelled`, and releases its connection. */
  signal?: AbortSignal;
}

/** The head of an answer, and its unread body. */
export interface UpstreamResponse {
  /** The HTTP status. */
  status: number;
  /** The headers, names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The bytes, which have to be read or cancelled. */
  body: UpstreamBody;
}

/** Calls providers. Rejects with `UpstreamFault`, or with a defect unchanged; never because of a status. */
export interface Transport {
  /** Sends a request, and returns as soon as the head of its answer is there. */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  /** Closes idle connections and ends running calls. */
  close(): Promise<void>;
}

/** The timeouts of a call, in milliseconds: to connect, for the first byte, between bytes. */
export interface TransportOptions {
  /** Milliseconds to connect. */
  connect?: number;
  /** Milliseconds to the first byte of an answer. */
  firstByte?: number;
  /** Milliseconds between two bytes. */
  idle?: number;
}
