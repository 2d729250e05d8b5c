import { ignoreLosses } from "@manifold-gateway/core";
import { type Json, parseJson } from "@manifold-gateway/core/codec";
import { eventStream, type Framing } from "@manifold-gateway/core/wire";
import { StreamCopy } from "../answer-cache/stream-copy.ts";
import type { Sink, TextEncoding } from "../http/exchange.ts";
import { toSeconds } from "../http/moments.ts";
import { streamHeaders } from "../http/stream.ts";
import type { Context } from "../ports/context.ts";
import { type RequestTrace, traceHeaders } from "../routing/request-trace.ts";
import type { TextAsk } from "./plan.ts";
import type { ReceivedText } from "./plan-text.ts";

/** The form of a surface's streams. */
export interface StreamStyle {
  /** The framing, if not server-sent events. */
  framing?: Framing;
  headers?: Record<string, string>;
}

/**
 * The longest silence, in milliseconds: some clients warn of a stream that is silent for 20 seconds, and some balancers
 * cut it after 30. It is checked a few times in this period, so that a chunk costs no timer.
 */
export const LONGEST_SILENCE = 15_000;
const CHECKS = 3;
/**
 * The pause before each sign of life, in milliseconds. The first one too is sent only after this time, so that an error
 * of the provider that comes sooner still gets its own status.
 */
const PAUSE = 500;

/** The request that a stream answers. */
type Request = Pick<ReceivedText, "ask" | "trace" | "caching">;

/** A stream on its way to the caller. Its head is sent with its first text. */
export class CallerStream {
  readonly framing: Framing;
  readonly style: StreamStyle;
  /** A copy of what was sent so far, if the answer is to be cached. */
  copy: StreamCopy | undefined;
  readonly #context: Context<"steady">;
  #ask: TextAsk;
  #trace: RequestTrace;
  #timer: NodeJS.Timeout | undefined = undefined;
  /** Checks since the last text. */
  #silent = 0;
  #shownAt = 0;
  /** The caller reads more slowly than the stream is written. */
  #isSlow = false;
  #isAnswered = false;

  constructor(context: Context<"steady">, { ask, trace, caching }: Request, style: StreamStyle) {
    this.copy = caching && new StreamCopy();
    this.framing = style.framing ?? eventStream(ask.codec);
    this.style = style;
    this.#context = context;
    this.#ask = ask;
    this.#trace = trace;
  }

  /** Continues the stream with the request of a fallback. */
  follow({ ask, trace }: Request): void {
    this.#ask = ask;
    this.#trace = trace;
    this.copy = undefined;
  }

  /** Sends the head, unless it was sent. */
  begin(): void {
    if (this.#sink.started) return;
    this.#sink.head(200, { ...streamHeaders, ...this.headers, ...traceHeaders(this.#trace) });
  }

  /** The headers of its form. */
  get headers(): Record<string, string> {
    return { "content-type": this.framing.contentType, ...this.style.headers };
  }

  /** Writes text. Returns a promise only if the caller reads too slowly: await it before writing more. */
  write(text: string, encoding?: TextEncoding): Promise<void> | undefined {
    this.copy?.add(text, encoding);
    return this.#send(text, encoding);
  }

  #send(text: string, encoding?: TextEncoding): Promise<void> | undefined {
    this.#silent = 0;
    this.begin();
    const slow = this.#sink.write(text, encoding);
    return slow && this.#slow(slow);
  }

  /** Breaks every long silence from now on; not on sockets, whose hosts send pings. */
  keepAlive(): void {
    if (this.#timer || this.#context.exchange.socket !== undefined) return;
    this.#timer = setInterval(() => {
      if (++this.#silent >= CHECKS) this.#show();
    }, LONGEST_SILENCE / CHECKS);
  }

  /** Stops breaking silences. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A provider's answer begins. Its reader writes errors from now on. */
  onAnswer(): void {
    this.#isAnswered = true;
    this.#shownAt = this.#context.services.steady();
    this.#sink.fail = undefined;
  }

  /** Shows the caller that the provider is alive, after it sent something that gives no text. */
  onSilence(): void {
    if (this.#timer && this.#context.services.steady() - this.#shownAt >= PAUSE) this.#show();
  }

  get #sink(): Sink {
    return this.#context.exchange.sink;
  }

  #show(): void {
    this.#shownAt = this.#context.services.steady();
    if (this.#sink.closed || this.#isSlow) return;
    if (!this.#isAnswered) this.#sink.fail = (status, body) => this.#fail(status, body);
    void this.#send(this.framing.keepAlive());
  }

  async #slow(slow: Promise<void>): Promise<void> {
    this.#isSlow = true;
    await slow;
    this.#isSlow = false;
  }

  /** Ends a stream with an error in the caller's protocol, if only the head and signs of life were sent so far. */
  #fail(status: number, body: unknown): void {
    const { codec, model } = this.#ask;
    const { failure, reply, frame } = codec;
    const json = typeof body === "string" ? parseJson(body) : (body as Json);
    const created = toSeconds(this.#context.started);
    const head = { id: this.#trace.generation ?? "", model, created, serviceForm: true };
    const writer = reply.encode(head, ignoreLosses);
    let text = "";
    for (const chunk of [
      ...writer.step({ type: "failure", failure: failure.decode(status, json) }),
      ...writer.end(),
    ])
      text += this.framing.frame(JSON.stringify(chunk), frame.event?.(chunk));
    this.#sink.end(text + this.framing.close());
  }
}
