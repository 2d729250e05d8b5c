import { joinBytes } from "./bytes.ts";
import { UpstreamFault } from "./fault.ts";

/** The bytes that may wait in memory before reading from the provider pauses. */
const HIGH_WATER = 256 * 1024;

/** The source of an answer's bytes. */
export interface ByteProducer {
  /** Stops reading from the provider. */
  pause(): void;
  /** Reads on. */
  resume(): void;
  /** Ends the source and releases the connection. */
  abort(reason: Error): void;
}

/** Decodes the bytes of an answer, as the streams of Node do. */
export interface ByteDecoder {
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  pause(): unknown;
  resume(): unknown;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "drain", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** The bytes of an answer, pulled one chunk at a time; unread chunks slow the provider down. */
export class UpstreamBody {
  #controller: ByteProducer;
  #queue: Uint8Array[] = [];
  #queued = 0;
  #ended = false;
  #fault: Error | undefined;
  #wake: (() => void) | undefined;
  #decoder: ByteDecoder | undefined;
  /** True while the producer is paused. */
  #held = false;
  /** The bytes still to come; `NaN` if the answer gave no length. */
  #missing: number;

  /** `length` is the `content-length` of the answer, which counts the bytes before they are decoded. */
  constructor(controller: ByteProducer, length: unknown = undefined, decoder?: ByteDecoder) {
    this.#controller = controller;
    this.#missing = typeof length === "string" ? Number(length) : Number.NaN;
    if (decoder) this.#decode(decoder);
  }

  /**
   * The next bytes: all since the last call in one piece, because many small chunks arrive in one read. `undefined` at
   * the end. Rejects with `UpstreamFault`, or with a defect unchanged. Only one call at a time.
   */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#queued === 0 && !this.#ended && !this.#fault) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#queued === 0) {
      if (this.#fault) throw this.#fault;
      return undefined;
    }
    const queue = this.#queue;
    const bytes = queue.length === 1 ? (queue[0] as Uint8Array) : joinBytes(queue, this.#queued);
    this.#queue = [];
    this.#queued = 0;
    if (this.#held) this.#release();
    return bytes;
  }

  #release(): void {
    this.#held = false;
    (this.#decoder ?? this.#controller).resume();
  }

  #rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Reads the whole body, up to `limit` bytes. */
  async bytes(limit: number): Promise<Uint8Array> {
    const first = await this.next();
    if (first === undefined) return new Uint8Array();
    const chunks = [first];
    let size = first.length;
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) break;
    }
    if (size > limit) {
      this.cancel();
      throw new UpstreamFault("too_large");
    }
    return chunks.length === 1 ? first : joinBytes(chunks, size);
  }

  /** Stops reading and releases the connection. */
  cancel(): void {
    if (this.#ended || this.#fault) return;
    this.fail(new UpstreamFault("cancelled"));
    this.#controller.abort(new UpstreamFault("cancelled"));
  }

  /** Adds bytes that arrived. */
  push(chunk: Uint8Array): void {
    this.#missing -= chunk.length;
    if (!this.#decoder) this.#deliver(chunk);
    else if (!this.#decoder.write(chunk)) this.#controller.pause();
  }

  /** The answer is complete. */
  finish(): void {
    if (this.#decoder) this.#decoder.end();
    else this.#end();
  }

  /**
   * Called when the connection broke. An answer that has all bytes of its length is still complete: if its reader is
   * slow, the parser pauses after the last byte, and the close reaches it before it can report the end.
   */
  broke(fault: Error): void {
    if (this.#missing === 0 && !this.#fault) this.finish();
    else this.fail(fault);
  }

  /** The answer broke off. */
  fail(fault: Error): void {
    if (this.#ended || this.#fault) return;
    this.#fault = fault;
    this.#decoder?.destroy();
    this.#rouse();
  }

  #deliver(chunk: Uint8Array): void {
    if (this.#fault) return;
    this.#queue.push(chunk);
    this.#queued += chunk.length;
    this.#rouse();
    if (this.#queued < HIGH_WATER || this.#held) return;
    this.#held = true;
    (this.#decoder ?? this.#controller).pause();
  }

  #end(): void {
    this.#ended = true;
    this.#rouse();
  }

  #decode(decoder: ByteDecoder): void {
    decoder.on("data", (chunk) => this.#deliver(chunk));
    decoder.on("end", () => this.#end());
    decoder.on("drain", () => this.#controller.resume());
    decoder.on("error", (error) => {
      const fault = new UpstreamFault("encoding", error);
      this.fail(fault);
      // The rest cannot be decoded, so the provider should not send it.
      this.#controller.abort(fault);
    });
    this.#decoder = decoder;
  }
}
