import type { Failure } from "@manifold-gateway/core";
import type { Machine } from "@manifold-gateway/core/codec";
import {
  PCM_BYTES,
  type SpeakCodec,
  type SpeakEvent,
  type SpeakPlan,
  type SpeakRequest,
  type SpeakUsage,
  speakAnswer,
  usageOfSpeak,
  wavHeader,
} from "@manifold-gateway/core/operations";
import { DownloadFault } from "@manifold-gateway/providers";
import type { Price } from "@manifold-gateway/store";
import { answerFailure } from "../generation/answer-failure.ts";
import { fail } from "../generation/provider-calls.ts";
import { noteFailure } from "../generation/provider-error.ts";
import { answerRefusal } from "../generation/upstream-error.ts";
import { Refusal } from "../http/refusal.ts";
import { streamHeaders } from "../http/stream.ts";
import { mediaOf } from "../media/media.ts";
import { reportImpossible } from "../observe/observed-call.ts";
import type { AnsweredOperation, OperationPlan, ReplyService, Used } from "../operations/operation.ts";
import type { Answer, Context } from "../ports/context.ts";
import { traceHeaders } from "../routing/request-trace.ts";
import { impossibleTokens, mostTokens, sizeOf } from "../text/impossible-usage.ts";
import { pumpStream } from "../text/pump-stream.ts";
import type { SpeakAsk } from "./speak.ts";

/** A text that an entry speaks. */
export type AnsweredSpeech = AnsweredOperation<SpeakAsk, OperationPlan<SpeakRequest, SpeakCodec>>;

/** Answers with the audio as it arrives, or with the error of an entry. Its end is sent after the settlement. */
export async function replySpeech(
  context: Context<ReplyService>,
  answered: AnsweredSpeech,
): Promise<Answer | undefined> {
  const { plan, ask, response } = answered;
  const { limits, protocols } = context.services;
  if (response.status >= 400)
    return answerRefusal(context, answered, {
      from: protocols.codecs[plan.resolution.protocol],
      to: protocols.codecs[ask.codec.protocol],
    });
  const handler = new SpeechHandler(context, answered);
  await pumpStream(response.body, context.exchange.sink, handler, {
    ...limits,
    drain: plan.resolution.provider.drain ?? limits.drain,
  });
  return handler.refusal;
}

const EMPTY: Failure = { kind: "server", status: 502, message: "The provider's file of audio is empty." };
const EVENTS = /^text\/event-stream\b/i;
const SOUND = /^(?:audio\/|text\/event-stream\b)/i;

/** What a price counts. One that counts both seconds and characters counts what the provider reports. */
function soldBy(price: Price, reported: SpeakUsage = {}): "tokens" | "seconds" | "characters" {
  const isTimed = (price.seconds ?? 0) > 0;
  if (isTimed && reported.seconds !== undefined) return "seconds";
  if ((price.characters ?? 0) > 0) return "characters";
  return isTimed ? "seconds" : "tokens";
}

/** Writes audio on its way to the caller, and settles it at its end. */
class SpeechHandler {
  readonly #context: Context<ReplyService>;
  readonly #answered: AnsweredSpeech;
  readonly #planned: SpeakPlan;
  readonly #machine: Machine<Uint8Array, SpeakEvent>;
  readonly #answer: ReturnType<typeof speakAnswer>;
  /** The provider's bytes go to the caller as they are. */
  readonly #forwards: boolean;
  /** Bytes before the first audio, which may be those of an error, and with its end, which follow the settlement. */
  #held: Uint8Array[] = [];
  /** The bytes of audio so far. */
  #size = 0;
  #address: string | undefined;
  #end: { usage?: SpeakUsage } | undefined;
  #failure: Failure | undefined;
  /** The answer to the caller, if it is no audio. */
  refusal: Answer | undefined;

  constructor(context: Context<ReplyService>, answered: AnsweredSpeech) {
    this.#context = context;
    this.#answered = answered;
    const { plan, ask, response } = answered;
    this.#planned = plan.planned as SpeakPlan;
    const type = String(response.headers["content-type"] ?? "");
    this.#machine = plan.upstream.reader(type);
    const answer = speakAnswer({ ...plan.request, format: this.#planned.format });
    const isAlike = EVENTS.test(type) === EVENTS.test(answer.contentType);
    this.#forwards = ask.codec === plan.upstream && !this.#planned.wraps && isAlike;
    // Of a type such as application/octet-stream, browsers hold back the bytes until the end.
    this.#answer = this.#forwards && SOUND.test(type) ? { ...answer, contentType: type } : answer;
  }

  onData(bytes: Uint8Array): Promise<void> | undefined {
    return this.#take(this.#machine.step(bytes), bytes);
  }

  async onEnd(): Promise<void> {
    await this.#take(this.#machine.end());
    if (this.#failure) return this.#failed(this.#failure);
    if (!this.#end) {
      this.#answered.trace.fault = "cut";
      return this.#broke();
    }
    if (this.#address !== undefined) await this.#fetch(this.#address);
    const { sink } = this.#context.exchange;
    // The file at an address may be empty; for a caller who left it is not read.
    if (this.#size === 0 && !sink.closed) return this.#failed(EMPTY);
    await this.#settle(sink.closed ? "aborted" : "succeeded", this.#end.usage);
    for (const bytes of this.#held) this.#write(bytes);
    if (!this.#forwards) this.#write(this.#answer.write({ type: "done", ...this.#end }));
    sink.end();
  }

  async onError(error: unknown): Promise<void> {
    if (this.#size === 0) throw await fail(this.#context, this.#answered.generation, error);
    this.#answered.generation.noteFault(error);
    await this.#broke();
  }

  async #take(events: readonly SpeakEvent[], bytes?: Uint8Array): Promise<void> {
    for (const event of events) {
      if (event.type === "audio" && this.#forwards) this.#size += event.bytes.length;
      else if (event.type === "audio") await this.#audio(event.bytes);
      else if (event.type === "address") this.#address = event.url;
      else if (event.type === "done") this.#end = event;
      else this.#failure ??= event.failure;
    }
    if (!this.#forwards || !bytes || this.#failure) return;
    this.#held.push(bytes);
    if (this.#end || this.#size === 0) return;
    for (const held of this.#held.splice(0)) await this.#write(held);
  }

  #audio(bytes: Uint8Array): Promise<void> | undefined {
    if (bytes.length === 0) return undefined;
    const isFirst = this.#size === 0;
    this.#size += bytes.length;
    if (isFirst && this.#planned.wraps)
      this.#write(this.#answer.write({ type: "audio", bytes: wavHeader() }));
    return this.#write(this.#answer.write({ type: "audio", bytes }));
  }

  #write(chunk: Uint8Array | string): Promise<void> | undefined {
    const { sink } = this.#context.exchange;
    if (!sink.started)
      sink.head(200, {
        "content-type": this.#answer.contentType,
        ...streamHeaders,
        ...traceHeaders(this.#answered.trace),
      });
    return chunk.length > 0 ? sink.write(chunk) : undefined;
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
        if (exchange.sink.closed && this.#end?.usage) break;
        await this.#audio(bytes);
      }
    } catch (error) {
      if (!(error instanceof DownloadFault)) throw error;
      this.#blame();
      await this.#answered.generation.settle(exchange.sink.closed ? "aborted" : "failed");
      throw new Refusal("provider_failed", "The provider's audio could not be downloaded.");
    }
  }

  /** The seconds of the audio so far, if its format shows them. */
  get #seconds(): number | undefined {
    const { format } = this.#planned;
    return format === "pcm" || format === "wav" ? this.#size / PCM_BYTES : undefined;
  }

  /** The figures that the provider reported, without tokens that are impossible. */
  #credible(reported: SpeakUsage | undefined): SpeakUsage | undefined {
    const { plan, ask } = this.#answered;
    const { entry } = plan.resolution;
    const most = mostTokens(sizeOf(ask.body), entry, this.#context.services.holds);
    const impossible = impossibleTokens(reported ?? {}, most);
    if (!reported || impossible.length === 0) return reported;
    const { seconds, characters } = reported;
    reportImpossible(this.#context, plan.resolution, impossible, { ...reported });
    return { ...(seconds !== undefined && { seconds }), ...(characters !== undefined && { characters }) };
  }

  #settle(
    status: "succeeded" | "aborted" | "failed",
    reported?: SpeakUsage,
    estimated = false,
  ): Promise<void> {
    const { plan, queue, opening, generation, trace } = this.#answered;
    const { services, caller } = this.#context;
    const { id, terms } = plan.resolution;
    const usage: Used = {
      ...usageOfSpeak(this.#credible(reported), plan.request, {
        tokensPerSecond: plan.upstream.tokensPerSecond,
        longest: plan.upstream.longestFor?.(plan.resolution.entry.name),
        sells: soldBy(terms.price, reported),
        seconds: this.#seconds,
      }),
      ...(estimated && { estimated }),
    };
    const { breakers } = services.routing;
    if (status === "failed" && trace.isBlameless) breakers.inconclusive(id, caller.accountId);
    else if (status === "failed") breakers.failed(id, caller.accountId);
    else breakers.completed(id, caller.accountId, 0, 0);
    return generation.settle(status, usage, plan === queue.first() ? opening.price : terms.price);
  }

  /** Counts a failure of the entry that answered. */
  #blame(): void {
    const { services, caller } = this.#context;
    services.routing.breakers.failed(this.#answered.plan.resolution.id, caller.accountId);
  }

  /** Answers with an error that the provider gave in place of audio. After some audio, the answer breaks off. */
  async #failed(failure: Failure): Promise<void> {
    const { plan, ask, trace } = this.#answered;
    if (this.#size > 0) {
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
    if (this.#size === 0) {
      this.#blame();
      await generation.settle(sink.closed ? "aborted" : "failed");
      throw new Refusal("provider_failed", "The provider's answer broke off before any audio.");
    }
    await this.#settle(sink.closed ? "aborted" : "failed", undefined, true);
    sink.abort();
  }
}
