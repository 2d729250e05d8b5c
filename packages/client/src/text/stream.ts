import type { Failure, Loss, Observation } from "@manifold-gateway/core";
import { type Reply, replyBytes } from "@manifold-gateway/core/reply";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import { isProviderFault, providerFaultText } from "@manifold-gateway/providers/routing";
import { HookError } from "../reply/hook-error.ts";
import type { Report } from "../report.ts";

/**
 * Milliseconds for which events without content are held, such as the head of a message: an error that follows them at once
 * is answered with its status.
 */
const MAX_HOLD = 500;

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
  readonly #report: Pick<Report, "defect">;
  /** The text that was read before the answer is returned. */
  #first: Uint8Array | undefined;
  /** The text after it, whose reading has begun. */
  #reading: Promise<Uint8Array> | undefined;
  #isBegun = false;
  #isOver = false;
  #onEnd: StreamEnd | undefined;
  #onAbort: (() => void) | undefined;

  constructor(
    body: UpstreamResponse["body"],
    reply: Reply,
    signal: AbortSignal,
    report: Pick<Report, "defect">,
  ) {
    this.#body = body;
    this.#reply = reply;
    this.#signal = signal;
    this.#report = report;
  }

  /**
   * Reads up to the first content, but no longer than a moment after the first text. Returns the failure of a stream that
   * fails before any content.
   */
  async begin(): Promise<Failure | undefined> {
    const texts = [await this.#next()];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, MAX_HOLD, undefined);
    });
    while (!this.#isOver && this.#hasNoContent()) {
      this.#reading = this.#next();
      // If the reader leaves before it takes this text, an error of it concerns nothing else.
      this.#reading.catch(() => {});
      const text = await Promise.race([this.#reading, timeout]);
      if (text === undefined) break;
      this.#reading = undefined;
      texts.push(text);
    }
    clearTimeout(timer);
    this.#first = joined(texts);
    this.#isBegun = true;
    const { failure, content } = this.#reply.observation();
    if (!failure || content > 0) return undefined;
    this.#body.cancel();
    return failure;
  }

  /** The stream for the caller. An abort breaks it off whether it is read or not. `onEnd` is called once. */
  readable(onEnd: StreamEnd): ReadableStream<Uint8Array> {
    this.#onEnd = onEnd;
    if (this.#isOver) this.#end();
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          if (this.#isOver) return;
          this.#onAbort = () => {
            controller.error(this.#signal.reason);
            this.#leave();
          };
          if (this.#signal.aborted) this.#onAbort();
          else this.#signal.addEventListener("abort", this.#onAbort);
        },
        pull: async (controller) => {
          try {
            const bytes = this.#first ?? (await (this.#reading ?? this.#next()));
            if (this.#first) this.#first = undefined;
            else this.#reading = undefined;
            if (bytes.length > 0) controller.enqueue(bytes);
            if (this.#isOver && !this.#reading) controller.close();
          } catch (error) {
            this.#end();
            controller.error(error);
          }
        },
        cancel: () => this.#leave(),
      },
      { highWaterMark: 0 },
    );
  }

  #hasNoContent(): boolean {
    const { content, failure, finish } = this.#reply.observation();
    return content === 0 && !failure && !finish;
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
      rest = this.#reply.finish(error === undefined ? undefined : this.#wordsOf(error));
    } catch (unread) {
      rest = this.#reply.finish(this.#wordsOf(unread));
    }
    this.#end();
    return replyBytes(rest, this.#reply.encoding);
  }

  /** The words for an error in the middle of an answer. A defect is reported. */
  #wordsOf(error: unknown): string {
    if (isProviderFault(error)) return providerFaultText(error);
    return error instanceof HookError ? error.message : this.#report.defect(error);
  }

  #leave(): void {
    this.#body.cancel();
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    if (this.#onAbort) this.#signal.removeEventListener("abort", this.#onAbort);
    this.#onEnd?.(this.#reply.observation(), this.#reply.losses);
    this.#onEnd = undefined;
  }
}

function joined(texts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(texts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const text of texts) {
    whole.set(text, at);
    at += text.length;
  }
  return whole;
}
