import type { Failure } from "@manifold-gateway/core";
import {
  emptyAudio,
  type SpeakCodec,
  type SpeakPiece,
  type SpeakPlan,
  SpeakReply,
  type SpeakRequest,
  type SpeakUsage,
  speakUnit,
  usageOfSpeak,
} from "@manifold-gateway/core/operations";
import { DownloadFault } from "@manifold-gateway/providers";
import { answerFailure } from "../generation/answer-failure.ts";
import { fail } from "../generation/provider-calls.ts";
import { noteFailure } from "../generation/provider-error.ts";
import { Refusal } from "../http/refusal.ts";
import { streamHeaders } from "../http/stream.ts";
import { mediaOf } from "../media/media.ts";
import { answerError, hasPossibleTokens, priceOf } from "../operations/answered.ts";
import type { AnsweredOperation, OperationPlan, ReplyService } from "../operations/operation.ts";
import type { Used } from "../ports/billing.ts";
import type { Answer, Context } from "../ports/context.ts";
import { traceHeaders } from "../routing/request-trace.ts";
import { pumpStream } from "../text/pump-stream.ts";
import type { SpeakAsk } from "./speak.ts";

/** A text that an entry speaks. */
export type AnsweredSpeech = AnsweredOperation<SpeakAsk, OperationPlan<SpeakRequest, SpeakCodec>>;

/** Answers with the audio as it arrives, or with the error of an entry. Its end is sent after the settlement. */
export async function replySpeech(
  context: Context<ReplyService>,
  answered: AnsweredSpeech,
): Promise<Answer | undefined> {
  const { plan, response } = answered;
  if (response.status >= 400) return answerError(context, answered);
  const handler = new SpeechHandler(context, answered);
  const { drain } = plan.resolution.provider;
  await pumpStream(response.body, context.exchange.sink, handler, context.services.limits, drain);
  return handler.refusal;
}

/** Writes audio on its way to the caller, and settles it at its end. */
class SpeechHandler {
  readonly #context: Context<ReplyService>;
  readonly #answered: AnsweredSpeech;
  readonly #reply: SpeakReply;
  /** The answer to the caller, if it is no audio. */
  refusal: Answer | undefined;

  constructor(context: Context<ReplyService>, answered: AnsweredSpeech) {
    this.#context = context;
    this.#answered = answered;
    const { plan, ask, response } = answered;
    this.#reply = new SpeakReply(plan.planned as SpeakPlan, {
      from: plan.upstream,
      to: ask.codec,
      type: String(response.headers["content-type"] ?? ""),
    });
  }

  onData(bytes: Uint8Array): Promise<void> | undefined {
    return this.#write(this.#reply.push(bytes));
  }

  async onEnd(): Promise<void> {
    await this.#write(this.#reply.finish());
    const { failure, end, address } = this.#reply;
    if (failure) return this.#failed(failure);
    if (!end) {
      this.#answered.trace.fault = "cut";
      return this.#broke();
    }
    if (address !== undefined) await this.#fetch(address);
    const { sink } = this.#context.exchange;
    // The file at an address may be empty; for a caller who left it is not read.
    if (this.#reply.size === 0 && !sink.closed) return this.#failed(emptyAudio);
    await this.#settle(sink.closed ? "aborted" : "succeeded", end.usage);
    await this.#write(this.#reply.last());
    sink.end();
  }

  async onError(error: unknown): Promise<void> {
    if (this.#reply.size === 0) throw await fail(this.#context, this.#answered.generation, error);
    this.#answered.generation.noteFault(error);
    await this.#broke();
  }

  /** Writes pieces for the caller; with the first one begins the answer. Absent: there was nothing to wait for. */
  #write(pieces: readonly SpeakPiece[]): Promise<void> | undefined {
    if (pieces.length === 0) return undefined;
    const { sink } = this.#context.exchange;
    if (!sink.started)
      sink.head(200, {
        "content-type": this.#reply.contentType,
        ...streamHeaders,
        ...traceHeaders(this.#answered.trace),
      });
    return this.#writeAll(pieces);
  }

  async #writeAll(pieces: readonly SpeakPiece[]): Promise<void> {
    const { sink } = this.#context.exchange;
    for (const piece of pieces) if (piece.length > 0) await sink.write(piece);
  }

  /** Passes on the audio at an address of the provider's. */
  async #fetch(url: string): Promise<void> {
    const { services, exchange } = this.#context;
    try {
      const { stream } = await mediaOf(services).fetch(url, {
        limit: services.limits.stream,
        signal: AbortSignal.timeout(services.limits.drain),
      });
      for await (const bytes of stream) {
        // The caller left, and the rest says nothing new about what was generated if its provider counted that.
        if (exchange.sink.closed && this.#reply.end?.usage) break;
        await this.#write(this.#reply.audio(bytes));
      }
    } catch (error) {
      if (!(error instanceof DownloadFault)) throw error;
      this.#blame();
      await this.#answered.generation.settle(exchange.sink.closed ? "aborted" : "failed");
      throw new Refusal("provider_failed", "The provider's audio could not be downloaded.");
    }
  }

  /** The figures that the provider reported, without tokens that are impossible. */
  #credible(reported: SpeakUsage | undefined): SpeakUsage | undefined {
    if (!reported || hasPossibleTokens(this.#context, this.#answered, reported)) return reported;
    const { seconds, characters } = reported;
    return { ...(seconds !== undefined && { seconds }), ...(characters !== undefined && { characters }) };
  }

  #settle(
    status: "succeeded" | "aborted" | "failed",
    reported?: SpeakUsage,
    estimated = false,
  ): Promise<void> {
    const { plan, generation, trace } = this.#answered;
    const { services, caller } = this.#context;
    const { id, terms } = plan.resolution;
    const usage: Used = {
      ...usageOfSpeak(this.#credible(reported), plan.request, {
        tokensPerSecond: plan.upstream.tokensPerSecond,
        longest: plan.upstream.longestFor?.(plan.resolution.entry.name),
        sells: speakUnit(terms.price, reported),
        seconds: this.#reply.seconds,
      }),
      ...(estimated && { estimated }),
    };
    const { breakers } = services.routing;
    if (status === "failed" && trace.isBlameless) breakers.inconclusive(id, caller.accountId);
    else if (status === "failed") breakers.failed(id, caller.accountId);
    else breakers.completed(id, caller.accountId, 0, 0);
    return generation.settle(status, usage, priceOf(this.#answered));
  }

  /** Counts a failure of the entry that answered. */
  #blame(): void {
    const { services, caller } = this.#context;
    services.routing.breakers.failed(this.#answered.plan.resolution.id, caller.accountId);
  }

  /** Answers with an error that the provider gave in place of audio. After some audio, the answer breaks off. */
  async #failed(failure: Failure): Promise<void> {
    const { plan, ask, trace } = this.#answered;
    if (this.#reply.size > 0) {
      noteFailure(trace, failure, plan.endpoint.provider);
      trace.fault = failure.kind;
      return this.#broke();
    }
    this.refusal = await answerFailure(this.#context, this.#answered, failure, ask.codec.protocol);
  }

  /** Settles audio that broke off: the text was read, so it is charged. The caller's answer breaks off too. */
  async #broke(): Promise<void> {
    const { generation } = this.#answered;
    const { sink } = this.#context.exchange;
    if (this.#reply.size === 0) {
      this.#blame();
      await generation.settle(sink.closed ? "aborted" : "failed");
      throw new Refusal("provider_failed", "The provider's answer broke off before any audio.");
    }
    await this.#settle(sink.closed ? "aborted" : "failed", undefined, true);
    sink.abort();
  }
}
