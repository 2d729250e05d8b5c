import type { Readable } from "node:stream";

/**
 * A message that has begun to arrive. The connection is read only as fast as the message is. No other code refers to
 * the memory of its chunks.
 */
export interface Message extends Readable {
  /** Whether it is text; otherwise it is bytes. */
  readonly isText: boolean;
  /** Its length in bytes, if it is a single frame; undefined if it is fragmented. */
  readonly announced: number | undefined;
  /** Whether all of it has arrived. */
  readonly complete: boolean;
  /** Bytes that have not arrived yet; infinite until its last frame begins. */
  readonly remaining: number;
}

/** The client's end of a WebSocket, provided by the host, which also handles pings and pongs. */
export interface Peer {
  /** Whether it is closed or closing. */
  readonly closed: boolean;
  /** Whether it has not read all that was sent to it. */
  readonly isBehind: boolean;
  /** Returns a promise only if the reader is slower than the writer: wait for it before sending more. */
  send(text: string): Promise<void> | undefined;
  /** Sends a close frame. Afterwards nothing is sent, and messages are ignored. */
  close(code: number, reason: string): void;
  /** Breaks the connection without a close frame. */
  cut(): void;
  /** Registers the function that is called when a message begins. To be called once. */
  listen(begun: (message: Message) => void): void;
  /** Calls the listener once, when the connection has ended. Returns a function that removes it. */
  onClose(listener: () => void): () => void;
}

/** Upgrades a request, with these headers in the answer; undefined if the client has left. */
export type Accept = (headers: Record<string, string>) => Promise<Peer | undefined>;

/** Reasons for closing a WebSocket, with the protocol's close codes. */
export const closings = {
  idle: [1000, "idle"],
  broken: [1011, "the response could not be completed"],
  restart: [1012, "the service is restarting"],
  flood: [1008, "messages arrive faster than they are processed"],
  unauthorized: [1008, "the credential is no longer accepted"],
  encoding: [1007, "a text message must be UTF-8"],
  unread: [1009, "the message was refused before it was complete"],
} as const satisfies Record<string, readonly [code: number, reason: string]>;
