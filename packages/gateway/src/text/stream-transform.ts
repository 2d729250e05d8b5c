import type { Observation } from "@manifold-gateway/core";

/**
 * The longest event that is accepted: a picture comes in one, and the last event of some wires repeats the whole
 * reply.
 */
export const FRAME_LIMIT = 16 * 1024 * 1024;

/**
 * One direction of a stream, without I/O: upstream's bytes in, text for the caller out. What ends the reply is
 * held back, because it may only go out after the generation is settled.
 */
export interface StreamTransform {
  /** The form of the text: characters, or one character for each byte of it. */
  readonly encoding: "utf8" | "latin1";
  /** The text that may go out now. Throws where upstream sent what no caller may see. */
  push(bytes: Uint8Array): string;
  /**
   * Upstream is over, cleanly or with a fault: the text that was held. Where the last of it cannot be read this
   * throws, and is called once more with that for a fault.
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
