import type { Failure } from "@manifold-gateway/core";
import { emptyAudio, type SpeakPiece, type SpeakReply } from "@manifold-gateway/core/speech";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import { pulledStream } from "../reply/pulled-stream.ts";

/** An answer that ends before its audio does. */
class AudioFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

const CUT: Failure = {
  kind: "server",
  status: 502,
  code: "provider_failed",
  message: "The provider's answer broke off before the end of its audio.",
};

/** Called once when the audio is over: `isComplete`, or it broke off, or its reader left. */
export type SpeechEnd = (isComplete: boolean) => void;

/** The audio of a provider on its way to the caller, read at the caller's pace. */
export class SpeechStream {
  readonly #reply: SpeakReply;
  readonly #signal: AbortSignal;
  readonly #pieces: AsyncGenerator<SpeakPiece, void>;
  #body: UpstreamResponse["body"];
  #first: SpeakPiece | undefined;
  #onEnd: SpeechEnd | undefined;

  /** `open` opens an address at which the provider has the audio. */
  constructor(
    body: UpstreamResponse["body"],
    reply: SpeakReply,
    { open, signal }: { open: (url: string) => Promise<UpstreamResponse["body"]>; signal: AbortSignal },
  ) {
    this.#body = body;
    this.#reply = reply;
    this.#signal = signal;
    this.#pieces = this.#read(open);
  }

  /** True if the provider answered with the address of its audio, which is not read yet. */
  get isAtAddress(): boolean {
    return this.#reply.address !== undefined && this.#reply.size === 0;
  }

  /** Reads up to the first audio, or up to its address. Returns the failure of an answer that has none. */
  async begin(): Promise<Failure | undefined> {
    try {
      this.#first = (await this.#pieces.next()).value as SpeakPiece;
      return undefined;
    } catch (error) {
      this.#body.cancel();
      if (error instanceof AudioFailure) return error.failure;
      throw error;
    }
  }

  /** The answer to the caller. It breaks off where the audio does. */
  readable(onEnd: SpeechEnd): ReadableStream<Uint8Array> {
    this.#onEnd = onEnd;
    const encoder = new TextEncoder();
    return pulledStream(
      {
        next: async () => {
          const piece = await this.#next();
          return typeof piece === "string" ? encoder.encode(piece) : piece;
        },
        leave: () => {
          this.#body.cancel();
          this.#end(false);
        },
      },
      this.#signal,
    );
  }

  /** The next piece that is not empty. */
  async #next(): Promise<SpeakPiece | undefined> {
    const first = this.#first;
    this.#first = undefined;
    if (first?.length) return first;
    try {
      for (;;) {
        const { done, value: piece } = await this.#pieces.next();
        if (piece?.length) return piece;
        if (!done) continue;
        this.#end(true);
        return undefined;
      }
    } catch (error) {
      this.#body.cancel();
      this.#end(false);
      throw error;
    }
  }

  async *#read(open: (url: string) => Promise<UpstreamResponse["body"]>): AsyncGenerator<SpeakPiece, void> {
    const reply = this.#reply;
    for (let bytes = await this.#body.next(); bytes; bytes = await this.#body.next())
      yield* reply.push(bytes);
    yield* reply.finish();
    const { failure, end, address } = reply;
    if (failure || !end) throw new AudioFailure(failure ?? CUT);
    if (address !== undefined) {
      yield "";
      this.#body = await open(address);
      for (let bytes = await this.#body.next(); bytes; bytes = await this.#body.next())
        yield* reply.audio(bytes);
      if (reply.size === 0) throw new AudioFailure(emptyAudio);
    }
    yield* reply.last();
  }

  #end(isComplete: boolean): void {
    this.#onEnd?.(isComplete);
    this.#onEnd = undefined;
  }
}
