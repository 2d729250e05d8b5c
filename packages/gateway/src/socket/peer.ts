/** The far end of a WebSocket, as a host gives it: whole messages, pings and their answers left to the host. */
export interface Peer {
  /** It has left, or is about to. */
  readonly closed: boolean;
  /** Returns a promise only where the reader is slower than the writer: wait for it before sending more. */
  send(text: string): Promise<void> | undefined;
  /** Says goodbye: nothing is sent after it. */
  close(code: number, reason: string): void;
  /** Breaks the connection, unsaid. */
  cut(): void;
  /** Registers the reader of each message; `undefined` is one that is no text. Called once. */
  listen(heard: (message: Buffer | undefined) => void): void;
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
} as const satisfies Record<string, readonly [code: number, reason: string]>;
