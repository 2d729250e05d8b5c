import { ByteQueue } from "./byte-queue.ts";
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

/** A reader that waits for the whole body. */
interface WholeReader {
  /** The most bytes that it takes. */
  limit: number;
  resolve(bytes: Uint8Array): void;
  reject(fault: Error): void;
}

/** The bytes of an answer, pulled one chunk at a time or all at once; unread chunks slow the provider down. */
export class UpstreamBody {
  #producer: ByteProducer | undefined;
  readonly #queue = new ByteQueue();
  #ended = false;
  #fault: Error | undefined;
  #wake: (() => void) | undefined;
  #whole: WholeReader | undefined;
  #decoder: ByteDecoder | undefined;
  /** True while the producer is paused. */
  #held = false;
  /** The bytes still to come; `NaN` if the answer gave no length. */
  #missing = Number.NaN;

  /**
   * `length` is the `content-length` of the answer, which counts the bytes before they are decoded. A subclass may leave
   * out the producer, and call `begin` before the first bytes.
   */
  constructor(producer?: ByteProducer, length?: unknown, decoder?: ByteDecoder) {
    if (producer) this.begin(producer, length, decoder);
  }

  /** Tells where the bytes come from. */
  protected begin(producer: ByteProducer, length: unknown, decoder: ByteDecoder | undefined): void {
    this.#producer = producer;
    if (typeof length === "string") this.#missing = Number(length);
    if (decoder) this.#decode(decoder);
  }

  /**
   * The next bytes, as `arrival` and `take` give them. Rejects with `UpstreamFault`, or with a defect unchanged. Only one
   * call at a time.
   */
  async next(): Promise<Uint8Array | undefined> {
    const arrival = this.arrival();
    if (arrival) await arrival;
    return this.take();
  }

  /** Returns a promise only if there is nothing to take yet: neither bytes, nor an end or a fault. */
  arrival(): Promise<void> | undefined {
    if (this.#queue.size > 0 || this.#ended || this.#fault) return undefined;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /**
   * The bytes that have arrived: all since the last call in one piece, because many small chunks arrive in one read.
   * `undefined` at the end. Throws `UpstreamFault`, or a defect unchanged. Await `arrival` before.
   */
  take(): Uint8Array | undefined {
    if (this.#queue.size === 0) {
      if (this.#fault) throw this.#fault;
      return undefined;
    }
    const bytes = this.#queue.take();
    if (this.#held) this.#release();
    return bytes;
  }

  #release(): void {
    this.#held = false;
    (this.#decoder ?? this.#producer)?.resume();
  }

  /** Answers a reader that waits, if it now can. */
  #rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
    if (!this.#whole) return;
    const { limit, resolve, reject } = this.#whole;
    const isTooLarge = this.#queue.size > limit;
    if (!isTooLarge && !this.#ended && !this.#fault) return;
    this.#whole = undefined;
    if (isTooLarge) {
      this.cancel();
      reject(new UpstreamFault("too_large"));
    } else if (this.#fault) reject(this.#fault);
    else resolve(this.#queue.take());
  }

  /** Reads the whole body, up to `limit` bytes; beyond them it is cancelled and the fault `too_large`. */
  bytes(limit: number): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    this.#whole = { limit, resolve, reject };
    if (this.#held) this.#release();
    this.#rouse();
    return promise;
  }

  /** Stops reading and releases the connection. `kind` is the fault that its reader gets. */
  cancel(kind: "cancelled" | "timeout" = "cancelled"): void {
    if (this.#ended || this.#fault) return;
    this.fail(new UpstreamFault(kind));
    this.#producer?.abort(new UpstreamFault(kind));
  }

  /** Adds bytes that arrived. */
  push(chunk: Uint8Array): void {
    this.#missing -= chunk.length;
    if (!this.#decoder) this.#deliver(chunk);
    else if (!this.#decoder.write(chunk)) this.#producer?.pause();
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
    this.#rouse();
    // A reader of the whole body takes all bytes, so it never makes the provider wait.
    if (this.#queue.size < HIGH_WATER || this.#held || this.#whole) return;
    this.#held = true;
    (this.#decoder ?? this.#producer)?.pause();
  }

  #end(): void {
    this.#ended = true;
    this.#rouse();
  }

  #decode(decoder: ByteDecoder): void {
    decoder.on("data", (chunk) => this.#deliver(chunk));
    decoder.on("end", () => this.#end());
    decoder.on("drain", () => this.#producer?.resume());
    decoder.on("error", (error) => {
      const fault = new UpstreamFault("encoding", error);
      this.fail(fault);
      // The rest cannot be decoded, so the provider should not send it.
      this.#producer?.abort(fault);
    });
    this.#decoder = decoder;
  }
}
