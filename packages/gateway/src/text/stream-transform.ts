import type { Observation } from "@manifold-gateway/core";

/**
 * The longest accepted event. An image arrives in a single event, and the last event of some wires
 * repeats the whole reply.
 */
export const FRAME_LIMIT = 16 * 1024 * 1024;

/**
 * One direction of a stream, without I/O: the provider's bytes in, text for the caller out. The end of the reply is
 * held back, because it may only be sent after the generation is settled.
 */
export interface StreamTransform {
  /** The form of the text: characters, or one character for each byte of it. */
  readonly encoding: "utf8" | "latin1";
  /** Returns the text that may be sent now. Throws if the provider sent something that no caller may see. */
  push(bytes: Uint8Array): string;
  /**
   * Returns the held text once the provider's stream has ended, cleanly or with a fault. Throws if the rest of the
   * stream cannot be read, and is then called once more with a fault.
   */
  finish(fault?: string): string;
  observation(): Observation;
}

/** The form in which chunks are written to one caller. */
export interface Framing {
  contentType: string;
  frame(data: string, event?: string): string;
  /** Closes the stream. */
  close(): string;
}
