import { Duplex } from "node:stream";
import type { Message } from "@manifold-gateway/gateway";
import { FramedMessage } from "./framed-message.ts";
import { type FrameHead, isControl, opcodes, readHead, unmask } from "./frames.ts";

/** The most bytes read from a client after either side has sent a close frame. */
const PARTING = 1024 * 1024;
/** The most frames parsed after that. */
const PARTING_FRAMES = 100;
/** The most frames of one message: each costs work, even an empty one. */
const MESSAGE_FRAMES = 16_384;

export interface FrameListener {
  /** Called when the first frame of a message begins. Its payload is read only as the message is read. */
  message(message: Message): void;
  /** Called when the client violates the protocol. */
  fault(reason: string): void;
}

/**
 * A connection for the WebSocket library that passes on only control frames. The library would read a message whole and
 * as fast as it arrives. Here each message must be admitted first, and is read like the body of a request.
 */
export class FramedConnection extends Duplex {
  readonly #under: Duplex;
  #listener: FrameListener | undefined;
  #bytes: Buffer;
  #frame: (FrameHead & { at: number }) | undefined;
  /** Whether a message has begun and not ended; `#message` is absent if it is discarded. */
  #isInMessage = false;
  #message: FramedMessage | undefined;
  /** The number of frames of the current message, or since the service's close frame. */
  #frames = 0;
  /** Whether the library's buffer is full. */
  #isFull = false;
  #isWalking = false;
  /** The number of bytes since the service's close frame; undefined before it. */
  #parting: number | undefined;
  /** Whether all further input is ignored. */
  #isOver = false;
  /** Whether the client has ended its side. */
  #hasEnded = false;

  /** `head` holds the bytes that arrived with the handshake. */
  constructor(under: Duplex, head: Buffer) {
    super();
    this.#under = under;
    this.#bytes = head;
    under.on("data", (chunk: Buffer) => this.#take(chunk));
    under.pause();
    under.on("end", () => {
      this.#hasEnded = true;
      this.#walk();
    });
    under.on("error", (error) => this.destroy(error));
    under.on("close", () => this.destroy());
  }

  /** Begins to read. */
  listen(listener: FrameListener): void {
    this.#listener = listener;
    this.#walk();
  }

  /** To be called once the service has sent a close frame: further messages are discarded. */
  leave(): void {
    this.#parting ??= PARTING;
    this.#frames = 0;
    this.#dropMessage();
    this.#walk();
  }

  override _read(): void {
    this.#isFull = false;
    if (this.#listener) this.#walk();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#under.write(chunk, encoding, done);
  }

  override _writev(
    chunks: { chunk: Buffer; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    this.#under.cork();
    for (const [at, { chunk, encoding }] of chunks.entries())
      this.#under.write(chunk, encoding, at === chunks.length - 1 ? done : undefined);
    this.#under.uncork();
  }

  override _final(done: () => void): void {
    this.#under.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#end();
    this.#under.destroy();
    done(error);
  }

  #take(chunk: Buffer): void {
    if (this.#parting !== undefined) this.#parting -= chunk.length;
    if ((this.#parting ?? 0) < 0) this.#under.destroy();
    else if (!this.#isOver) {
      this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
      this.#walk();
    }
  }

  /** Processes the received bytes, as far as the library and the message accept them. */
  #walk(): void {
    if (this.#isWalking) return;
    this.#isWalking = true;
    while (!this.#isOver && this.#mayGoOn() && (this.#frame ? this.#payload(this.#frame) : this.#head()));
    this.#isWalking = false;
    // An empty slice would keep its whole buffer in memory.
    if (this.#isOver || this.#bytes.length === 0) this.#bytes = EMPTY;
    if (!this.#isOver && !this.#mayGoOn()) return void this.#under.pause();
    this.#under.resume();
    if (!this.#hasEnded || this.readableEnded) return;
    this.#end();
    this.push(null);
  }

  #mayGoOn(): boolean {
    if (this.#isFull) return false;
    return !this.#message || this.#message.isWanted || (this.#frame !== undefined && isControl(this.#frame));
  }

  #head(): boolean {
    const head = readHead(this.#bytes);
    if (head === undefined) return false;
    if (typeof head === "string") return this.#fail(head);
    if (this.#parting !== undefined && ++this.#frames > PARTING_FRAMES) {
      this.#end();
      return false;
    }
    if (isControl(head)) this.#pass(this.#bytes.subarray(0, head.size));
    else if ((head.opcode === opcodes.continuation) !== this.#isInMessage)
      return this.#fail("the frames of a message must follow one another");
    else if (this.#isInMessage && this.#parting === undefined && ++this.#frames > MESSAGE_FRAMES)
      return this.#fail("a message must not have so many frames");
    else this.#begin(head);
    this.#bytes = this.#bytes.subarray(head.size);
    this.#frame = { ...head, at: 0 };
    if (head.length === 0) this.#endFrame(head);
    return true;
  }

  #begin(head: FrameHead): void {
    const isFirst = !this.#isInMessage;
    if (isFirst && this.#parting === undefined) this.#frames = 0;
    this.#isInMessage = true;
    if (isFirst && this.#parting === undefined) this.#message = new FramedMessage(head, () => this.#walk());
    const message = this.#message;
    if (message && head.isFinal) message.remaining = head.length;
    if (isFirst && message) this.#listener?.message(message);
  }

  #payload(frame: FrameHead & { at: number }): boolean {
    const piece = this.#bytes.subarray(0, frame.length - frame.at);
    if (piece.length === 0) return false;
    this.#bytes = this.#bytes.subarray(piece.length);
    if (isControl(frame)) this.#pass(piece);
    else if (this.#message) {
      unmask(piece, frame.mask, frame.at);
      this.#message.append(piece);
    }
    frame.at += piece.length;
    if (frame.at === frame.length) this.#endFrame(frame);
    return true;
  }

  #endFrame({ opcode, isFinal }: FrameHead): void {
    this.#frame = undefined;
    if (opcode === opcodes.close) this.#end();
    if (isControl({ opcode }) || !isFinal) return;
    this.#isInMessage = false;
    this.#message?.finish();
    this.#message = undefined;
  }

  /** Gives bytes to the library. */
  #pass(bytes: Buffer): void {
    this.#isFull = !this.push(bytes);
  }

  #fail(reason: string): boolean {
    this.#end();
    this.#listener?.fault(reason);
    return false;
  }

  #end(): void {
    this.#isOver = true;
    this.#parting ??= PARTING;
    this.#dropMessage();
  }

  #dropMessage(): void {
    this.#message?.destroy();
    this.#message = undefined;
  }
}

const EMPTY = Buffer.alloc(0);
