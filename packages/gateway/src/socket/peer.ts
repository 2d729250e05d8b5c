import type { Readable } from "node:stream";

/**
 * A message that has begun. Nothing of it is taken off the connection before it is read, and then at that pace. Its
 * pieces are the only users of their memory.
 */
export interface Message extends Readable {
  readonly isText: boolean;
  /** Its length in bytes, where it comes in one frame; others may end at any time. */
  readonly announced: number | undefined;
  /** All of it has come. */
  readonly complete: boolean;
  /** Bytes that are still to come; infinite before its last frame has begun. */
  readonly left: number;
}

/** The far end of a WebSocket, as a host gives it: pings and their answers are left to the host. */
export interface Peer {
  /** It has left, or is about to. */
  readonly closed: boolean;
  /** It has not read what was sent to it. */
  readonly isBehind: boolean;
  /** Returns a promise only where the reader is slower than the writer: wait for it before sending more. */
  send(text: string): Promise<void> | undefined;
  /** Says goodbye: nothing is sent after it, and no message is heard. */
  close(code: number, reason: string): void;
  /** Breaks the connection, unsaid. */
  cut(): void;
  /** Registers the reader of each message, which is called when one begins. Called once. */
  listen(begun: (message: Message) => void): void;
  /** Calls once, when the connection is gone; the function that comes back takes the listener away. */
  onClose(listener: () => void): () => void;
}

/** Makes a WebSocket of a request for one, with these headers on its answer; nothing where the client has left. */
export type Accept = (headers: Record<string, string>) => Promise<Peer | undefined>;

/** Reasons for closing a WebSocket, in the codes of its protocol. */
export const closings = {
  idle: [1000, "idle"],
  broken: [1011, "the response could not be completed"],
  restart: [1012, "the service is restarting"],
  flood: [1008, "messages arrive faster than they are processed"],
  unauthorized: [1008, "the credential is no longer accepted"],
  encoding: [1007, "a text message must be UTF-8"],
  unread: [1009, "the message was refused before it was complete"],
} as const satisfies Record<string, readonly [code: number, reason: string]>;
