import { Duplex } from "node:stream";
import type { Message } from "@manifold-gateway/gateway";
import { FramedMessage } from "./framed-message.ts";
import { type FrameHead, isControl, opcodes, readHead, unmask } from "./frames.ts";

/** Bytes that are still taken from a client after either side has said goodbye. */
const PARTING = 1024 * 1024;
/** Frames that are still looked at meanwhile. */
const PARTING_FRAMES = 100;
/** Frames of one message: each takes work, also when it is empty. */
const MESSAGE_FRAMES = 16_384;

export interface FrameListener {
  /** The first frame of a message has begun. Nothing after its head is read before the message is. */
  message(message: Message): void;
  /** The client does not keep to the protocol. */
  fault(reason: string): void;
}

/**
 * A connection as the WebSocket library uses it, which finds control frames alone on it: those of messages are taken
 * out before. The library reads a message whole and as fast as it comes; here each has to be admitted first, and is
 * read like the body of a request.
 */
export class FramedConnection extends Duplex {
  readonly #under: Duplex;
  #listener: FrameListener | undefined;
  #bytes: Buffer;
  #frame: (FrameHead & { at: number }) | undefined;
  /** A message has begun and not ended; `#message` is absent where it is passed over. */
  #isInMessage = false;
  #message: FramedMessage | undefined;
  /** Frames of the present message, or after the service's goodbye. */
  #frames = 0;
  /** The library takes no more at present. */
  #isFull = false;
  #isWalking = false;
  /** Of what comes after the service's goodbye. */
  #parting: number | undefined;
  /** Nothing that comes is looked at any more. */
  #isOver = false;
  /** The client sends nothing more. */
  #hasEnded = false;

  /** `head` came with the handshake. */
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

  /** The service has said goodbye: further messages are passed over. */
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

  /** Goes on through what has come, as far as there are takers for it. */
  #walk(): void {
    if (this.#isWalking) return;
    this.#isWalking = true;
    while (!this.#isOver && this.#mayGoOn() && (this.#frame ? this.#payload(this.#frame) : this.#head()));
    this.#isWalking = false;
    // An empty piece would keep the memory of the whole that it is of.
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
    if (message && head.isFinal) message.left = head.length;
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
