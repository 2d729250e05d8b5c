import type { Failure, Loss, Observation } from "@manifold-gateway/core";
import { type Reply, replyBytes } from "@manifold-gateway/core/reply";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import { isProviderFault, providerFaultText } from "@manifold-gateway/providers/routing";
import { HookError } from "../reply/hook-error.ts";

/** Receives what is known of a stream once it is over: complete, broken, or left by its reader. */
export type StreamEnd = (observation: Observation, losses: readonly Loss[]) => void;

/**
 * A provider's stream on its way to the caller, read at the caller's pace. Its first text is read before the answer is
 * returned, since the status depends on it.
 */
export class ReplyStream {
  readonly #body: UpstreamResponse["body"];
  readonly #reply: Reply;
  readonly #signal: AbortSignal;
  #first: Uint8Array | undefined;
  #isBegun = false;
  #isOver = false;
  #onEnd: StreamEnd | undefined;

  constructor(body: UpstreamResponse["body"], reply: Reply, signal: AbortSignal) {
    this.#body = body;
    this.#reply = reply;
    this.#signal = signal;
  }

  /** Reads up to the first text for the caller. Returns the failure of a stream that fails before any content. */
  async begin(): Promise<Failure | undefined> {
    this.#first = await this.#next();
    this.#isBegun = true;
    const { failure, content } = this.#reply.observation();
    if (!failure || content > 0) return undefined;
    this.#body.cancel();
    return failure;
  }

  /** The stream for the caller. `onEnd` is called once. */
  readable(onEnd: StreamEnd): ReadableStream<Uint8Array> {
    if (this.#isOver) onEnd(this.#reply.observation(), this.#reply.losses);
    else this.#onEnd = onEnd;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const bytes = this.#first ?? (await this.#next());
            this.#first = undefined;
            if (bytes.length > 0) controller.enqueue(bytes);
            if (this.#isOver) controller.close();
          } catch (error) {
            this.#end();
            controller.error(error);
          }
        },
        cancel: () => {
          this.#body.cancel();
          this.#end();
        },
      },
      { highWaterMark: 0 },
    );
  }

  async #next(): Promise<Uint8Array> {
    try {
      for (let bytes = await this.#body.next(); bytes !== undefined; bytes = await this.#body.next()) {
        const out = this.#reply.push(bytes);
        if (out.length > 0) return replyBytes(out, this.#reply.encoding);
      }
      return this.#finish(undefined);
    } catch (error) {
      if (this.#signal.aborted) throw this.#signal.reason;
      this.#body.cancel();
      // Before the answer began, an error that no provider caused has its own status.
      if (!this.#isBegun && !isProviderFault(error)) throw error;
      return this.#finish(error);
    }
  }

  #finish(error: unknown): Uint8Array {
    this.#isOver = true;
    let rest: string;
    try {
      rest = this.#reply.finish(error === undefined ? undefined : wordsOf(error));
    } catch (unread) {
      rest = this.#reply.finish(wordsOf(unread));
    }
    this.#end();
    return replyBytes(rest, this.#reply.encoding);
  }

  #end(): void {
    this.#isOver = true;
    this.#onEnd?.(this.#reply.observation(), this.#reply.losses);
    this.#onEnd = undefined;
  }
}

/** The words for an error in the middle of an answer. */
function wordsOf(error: unknown): string {
  if (isProviderFault(error)) return providerFaultText(error);
  return error instanceof HookError ? error.message : "The client failed.";
}
