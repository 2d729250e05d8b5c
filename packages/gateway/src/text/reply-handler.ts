import type { Failure } from "@manifold-gateway/core";
import { type HeldReply, pauseHeaders, type Reply } from "@manifold-gateway/core/reply";
import { UpstreamFault } from "@manifold-gateway/providers";
import type { StreamGuard } from "../guards/stream-guard.ts";
import { isLeft } from "../http/client-left.ts";
import type { Sink } from "../http/exchange.ts";
import { faultMessage, faultRefusal, isDefect, logDefect } from "../http/fault.ts";
import { errorSource } from "../http/source.ts";
import { traceHeaders } from "../routing/request-trace.ts";
import type { CallerStream } from "./caller-stream.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { Work } from "./reply.ts";
import { settleText } from "./settle.ts";

/** A reply, and the guard that holds its texts back. */
export interface Guarded {
  guard: StreamGuard;
  reply: HeldReply;
}

/**
 * Receives one streamed reply as it arrives, writes it to the caller, and settles it. The end is written after
 * settlement. Its methods are those of undici's dispatch handlers.
 */
export class ReplyHandler {
  readonly #work: Work;
  readonly #sink: Sink;
  readonly #reply: Reply;
  readonly #isTranslated: boolean;
  readonly #stream: CallerStream;
  readonly #checkpoints: Checkpoints;
  readonly #guarded: Guarded | undefined;
  #isEmpty = true;

  constructor(work: Work, reply: Reply, stream: CallerStream, guarded?: Guarded) {
    this.#guarded = guarded;
    this.#work = work;
    this.#sink = work.context.exchange.sink;
    this.#reply = reply;
    this.#isTranslated = reply.encoding === "utf8";
    this.#stream = stream;
    stream.onAnswer();
    if (this.#isTranslated) stream.keepAlive();
    else stream.close();
    this.#checkpoints = new Checkpoints(work, reply);
  }

  /**
   * Takes bytes of the reply, and writes what may be sent now; nothing after the caller has left. Returns a promise
   * only if the caller reads too slowly: await it before the next bytes.
   */
  onData(bytes: Uint8Array): Promise<void> | undefined {
    const { trace } = this.#work;
    this.#isEmpty = false;
    if (!this.#isTranslated) trace.reply?.push(bytes);
    const text = this.#reply.push(bytes);
    if (trace.first === undefined && this.#reply.observation().content > 0) trace.first = trace.steady();
    this.#checkpoints.save();
    if (this.#sink.closed) {
      // Nothing is sent any more, so nothing has to wait.
      this.#guarded?.guard.held.drop();
      return undefined;
    }
    if (this.#guarded?.guard.isWaiting) return this.#release(this.#guarded, text);
    if (text !== "") return this.#stream.write(text, this.#reply.encoding);
    this.#stream.onSilence();
    return undefined;
  }

  /** Writes `before`, which needs no check, and then what the guards let pass. */
  async #release({ guard, reply }: Guarded, before: string): Promise<void> {
    const text = before + (await guard.release(reply));
    if (text !== "" && !this.#sink.closed) await this.#stream.write(text, reply.encoding);
  }

  /** Checks whether the end of the reply has arrived. */
  isOver(): boolean {
    return this.#reply.isOver;
  }

  /** Settles a reply whose bytes have all arrived, and writes its end. */
  onEnd(): Promise<void> {
    return this.#end(undefined);
  }

  /** Settles a reply that broke off, and tells the caller: by a status if nothing was sent yet, else in the stream. */
  onError(error: unknown): Promise<void> {
    return this.#end(error);
  }

  async #end(error: unknown): Promise<void> {
    const { context } = this.#work;
    this.#stream.close();
    let cause = error;
    // Before the stream is finished, which may take a while.
    const left = this.#sink.closed;
    let rest = "";
    try {
      if (this.#guarded && cause === undefined && !left) rest = await this.#drain(this.#guarded);
      rest += this.#finish(cause);
    } catch (unread) {
      cause ??= unread;
      rest += this.#finish(cause);
    }
    // Only what passed the guards may be kept: after a refusal, or once the caller has left, nothing was checked.
    if (this.#guarded && (left || cause !== undefined || this.#guarded.guard.hasMasked))
      this.#work.trace.reply = undefined;
    const { failure } = this.#reply.observation();
    const failed = (failure !== undefined || cause !== undefined) && !isLeft(cause, this.#sink);
    await this.#settle(failed ? "failed" : left ? "aborted" : "succeeded", cause);
    if (!failed && !left) this.#keep(rest);
    // An error before anything was written is thrown, and logged by its catcher.
    if (cause !== undefined && isDefect(cause) && (this.#sink.closed || this.#sink.started))
      logDefect(context.services.log, cause, { request: context.id, generation: this.#work.head.id });
    if (this.#sink.closed) return;
    if (!this.#sink.started) {
      if (cause !== undefined) throw faultRefusal(cause);
      // An empty stream is a failed connection, not an answer.
      if (failure && this.#isEmpty) throw faultRefusal(new UpstreamFault("reset"));
      if (failure && this.#isTranslated) return this.#refuse(failure);
      this.#stream.begin();
    }
    this.#sink.end(rest, this.#reply.encoding);
  }

  async #drain({ guard, reply }: Guarded): Promise<string> {
    return reply.drain() + (await guard.release(reply));
  }

  #finish(fault: unknown): string {
    if (fault === undefined) return this.#reply.finish();
    this.#guarded?.guard.held.drop();
    return this.#reply.finish(faultMessage(fault, this.#work.context.id));
  }

  /** Caches the whole stream, if answers to its request are cached. */
  #keep(rest: string): void {
    const { caching, trace } = this.#work;
    const { copy, headers } = this.#stream;
    copy?.add(rest, this.#reply.encoding);
    const whole = copy?.whole;
    if (caching && whole) caching.keep({ ...whole, headers }, trace);
  }

  #settle(status: "succeeded" | "failed" | "aborted", error: unknown): Promise<void> {
    if (this.#isTranslated) this.#work.trace.replyLosses = this.#reply.losses;
    return settleText(this.#work, status, this.#reply.observation(), error);
  }

  /** Answers with the status of a failure that the reply began with. */
  #refuse(failure: Failure): void {
    const { ask, trace } = this.#work;
    const { status, body } = ask.codec.failure.encode(failure);
    this.#sink.head(status, {
      "content-type": "application/json",
      ...errorSource.provider,
      ...traceHeaders(trace),
      ...pauseHeaders(failure),
    });
    this.#sink.end(JSON.stringify(body));
  }
}
