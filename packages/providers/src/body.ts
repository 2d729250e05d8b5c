import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Dispatcher } from "undici";
import { UpstreamFault } from "./fault.ts";

/** How much may wait in memory before the provider is asked to pause. */
const HIGH_WATER = 256 * 1024;

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The bytes of an answer, pulled one chunk at a time; what nobody pulls holds the provider back. */
export class UpstreamBody {
  #controller: Dispatcher.DispatchController;
  #queue: Uint8Array[] = [];
  #queued = 0;
  #ended = false;
  #fault: UpstreamFault | undefined;
  #wake: (() => void) | undefined;
  #decoder: Transform | undefined;

  constructor(controller: Dispatcher.DispatchController, encoding: string | string[] | undefined) {
    this.#controller = controller;
    if (encoding !== undefined && encoding !== "identity" && encoding !== "") this.#decode(String(encoding));
  }

  /**
   * The next bytes: all that came since the last call, in one piece, because many small ones arrive in one read.
   * `undefined` at the end. Rejects with `UpstreamFault`. One call at a time.
   */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#queued === 0 && !this.#ended && !this.#fault) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#queued > 0) return this.#take();
    if (this.#fault) throw this.#fault;
    return undefined;
  }

  #take(): Uint8Array {
    const queue = this.#queue;
    const bytes = queue.length === 1 ? (queue[0] as Uint8Array) : Buffer.concat(queue, this.#queued);
    this.#queue = [];
    this.#queued = 0;
    if (this.#controller.paused) this.#controller.resume();
    return bytes;
  }

  #rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Everything, up to `limit` bytes. */
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
    return chunks.length === 1 ? first : Buffer.concat(chunks, size);
  }

  /** Stops reading and lets the connection go. */
  cancel(): void {
    if (this.#ended || this.#fault) return;
    this.fail(new UpstreamFault("cancelled"));
    this.#controller.abort(new UpstreamFault("cancelled"));
  }

  push(chunk: Uint8Array): void {
    if (this.#decoder) this.#decoder.write(chunk);
    else this.#deliver(chunk);
  }

  finish(): void {
    if (this.#decoder) this.#decoder.end();
    else this.#end();
  }

  fail(fault: UpstreamFault): void {
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
    if (this.#queued >= HIGH_WATER && !this.#controller.paused) this.#controller.pause();
  }

  #end(): void {
    this.#ended = true;
    this.#rouse();
  }

  #decode(encoding: string): void {
    const make = decoders[encoding.trim().toLowerCase()];
    if (!make) {
      // A list of encodings, or one nobody asked for: nothing that can be trusted follows.
      this.#fault = new UpstreamFault("encoding");
      this.#controller.abort(this.#fault);
      return;
    }
    const decoder = make();
    decoder.on("data", (chunk: Buffer) => this.#deliver(chunk));
    decoder.on("end", () => this.#end());
    decoder.on("error", (error) => this.fail(new UpstreamFault("encoding", error)));
    this.#decoder = decoder;
  }
}
