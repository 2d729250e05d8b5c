import type { TextService } from "../generation/services.ts";
import type { Fallback, FallbackCause } from "../ports/catalog.ts";
import type { Answer, Context } from "../ports/context.ts";
import { isEntryRefusal } from "../routing/queue.ts";
import { withTraceHeaders } from "../routing/request-trace.ts";
import { causeOfAnswer, causeOfError, fallbacksOf } from "./fallback.ts";
import { type ReceivedText, receiveText } from "./plan-text.ts";
import type { AnsweredText } from "./reply.ts";

/** The end of a model's attempt: an answer, which may be the provider's error, or an error of this service. */
export type ModelEnd = { answer: Answer | undefined; by: AnsweredText } | { error: unknown };

/**
 * The models that are tried one after another for one request. Each has a generation, a hold and a record of its own,
 * and the next begins only after the previous one has ended without a charge.
 */
export class FallbackLine {
  readonly #context: Context<TextService>;
  readonly #first: ReceivedText;
  readonly #fallbacks: readonly Fallback[];
  #next = 0;
  #cause: FallbackCause | undefined = undefined;
  /** The end of the last model that took the request. */
  #end: ModelEnd = { error: undefined };
  #request: ReceivedText;

  constructor(context: Context<TextService>, first: ReceivedText) {
    this.#context = context;
    this.#first = first;
    this.#fallbacks = fallbacksOf(context, first.ask);
    this.#request = first;
  }

  /** The request for the next model after one that ended like this; undefined if none may be tried. */
  async after(end: ModelEnd, received: ReceivedText): Promise<ReceivedText | undefined> {
    // A model that cannot take the request has not failed: the caller gets the end of the model that did.
    const isUnfit = received !== this.#first && "error" in end && isEntryRefusal(end.error);
    if (!isUnfit) {
      this.#end = end;
      this.#request = received;
      this.#cause = await this.#causeOf(end, received);
    }
    const cause = this.#cause;
    if (cause === undefined) return undefined;
    for (const { model, on } of this.#fallbacks.slice(this.#next)) {
      this.#next += 1;
      if (on.includes(cause) && this.#context.services.catalog.get(model)) return this.#ask(model, cause);
    }
    return undefined;
  }

  /** The answer of the last model that took the request. Throws if that ended with an error. */
  answer(): Answer | undefined {
    const end = this.#end;
    if ("error" in end) throw withTraceHeaders(end.error, this.#request.trace);
    return end.answer;
  }

  #causeOf(
    end: ModelEnd,
    received: ReceivedText,
  ): Promise<FallbackCause | undefined> | FallbackCause | undefined {
    if ("error" in end) return causeOfError(this.#context, end.error, received.trace);
    return causeOfAnswer(this.#context, end.by);
  }

  async #ask(model: string, cause: FallbackCause): Promise<ReceivedText> {
    const { ask, trace } = this.#first;
    const received = await receiveText(this.#context, { ...ask, model });
    received.trace.earlier = [...this.#request.trace.earlier, ...this.#request.trace.attempts];
    received.trace.fallback = { from: trace.model, cause };
    return received;
  }
}
