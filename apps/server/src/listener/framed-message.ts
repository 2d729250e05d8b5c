import { Readable } from "node:stream";
import type { Message } from "@manifold-gateway/gateway";
import { type FrameHead, opcodes } from "./frames.ts";

/** The most bytes of a message that are buffered for its reader. */
const HIGH_WATER = 64 * 1024;

/** A message, whose bytes are taken off the connection only as it is read. */
export class FramedMessage extends Readable implements Message {
  readonly isText: boolean;
  readonly announced: number | undefined;
  complete = false;
  remaining = Number.POSITIVE_INFINITY;
  /** Whether the reader accepts more. */
  isWanted = false;
  readonly #wanted: () => void;

  constructor({ opcode, isFinal, length }: FrameHead, wanted: () => void) {
    super({ highWaterMark: HIGH_WATER });
    this.isText = opcode === opcodes.text;
    this.announced = isFinal ? length : undefined;
    this.#wanted = wanted;
  }

  override _read(): void {
    this.isWanted = true;
    this.#wanted();
  }

  append(piece: Buffer): void {
    this.remaining -= piece.length;
    this.isWanted = this.push(piece);
  }

  finish(): void {
    this.complete = true;
    this.push(null);
  }
}
