import type { UpstreamBody } from "./body.ts";

/**
 * Bytes that are sent from where they stand. After a piece of 64 KiB or more the next is only taken when the socket
 * has passed that one on: who is asked for more, or told that this was all, knows that it was sent.
 */
export interface Pieces extends Iterable<Uint8Array> {
  /** Of all of them. */
  readonly length: number;
}

/** What is sent. */
export type Payload = string | Uint8Array | Pieces;

/** All of it, in one piece. */
export function bytesOf(payload: Payload): Uint8Array {
  if (typeof payload === "string") return Buffer.from(payload);
  return payload instanceof Uint8Array ? payload : Buffer.concat([...payload]);
}

/** One call: everything that goes over the wire. */
export interface UpstreamRequest {
  origin: string;
  /** Path and query. */
  path: string;
  method: "GET" | "POST" | "DELETE";
  headers: Record<string, string>;
  body?: Payload;
  /** Milliseconds; see `Provider.timeouts`. */
  firstByte?: number;
  idle?: number;
  /** Ends the call with the fault `cancelled`, and lets its connection go. */
  signal?: AbortSignal;
}

/** The head of an answer, and its body to be read. */
export interface UpstreamResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: UpstreamBody;
}

/** Calls providers. Rejects with `UpstreamFault`, and with a defect as it is; never for a status. */
export interface Transport {
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  close(): Promise<void>;
}

/** The waits of a call, in milliseconds: to connect, for the first byte, between bytes. */
export interface TransportOptions {
  connect?: number;
  firstByte?: number;
  idle?: number;
}
