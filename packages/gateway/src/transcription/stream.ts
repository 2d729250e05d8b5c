import type { Json, Machine } from "@manifold-gateway/core/codec";
import {
  cutTranscript,
  isTranscriptStream,
  readTranscript,
  readTranscriptEvents,
  type TranscriptionCodec,
  type TranscriptionEvent,
  type TranscriptionPlan,
  type TranscriptionReply,
  transcriptionUnit,
  unfoldTranscript,
} from "@manifold-gateway/core/operations";
import { jsonEvents } from "@manifold-gateway/core/reply";
import { fail } from "../generation/provider-calls.ts";
import { noteFailure } from "../generation/provider-error.ts";
import { TOKEN_BYTES } from "../generation/token-estimate.ts";
import { streamHeaders } from "../http/stream.ts";
import { priceOf, readWhole } from "../operations/answered.ts";
import type { ReplyService } from "../operations/operation.ts";
import type { Context } from "../ports/context.ts";
import { traceHeaders } from "../routing/request-trace.ts";
import { pumpStream } from "../text/pump-stream.ts";
import { guardTranscript } from "./guarded.ts";
import { type AnsweredTranscription, callerRequest, forwards, settleTranscript } from "./reply.ts";
import { usedBy } from "./usage.ts";

/** Relays or translates a streamed transcript. Its end is written after the generation is settled. */
export async function streamTranscript(
  context: Context<ReplyService>,
  answered: AnsweredTranscription,
): Promise<undefined> {
  const { ask, response, plan } = answered;
  const { limits } = context.services;
  const writer = new StreamWriter(context, answered);
  const type = String(response.headers["content-type"] ?? "");
  // Servers and models that do not stream answer with the whole transcript.
  if (!isTranscriptStream(type) || !plan.upstream.stream || ask.isGuarded) {
    const bytes = await readWhole(context, answered);
    const { responseFormat: format } = (plan.planned as TranscriptionPlan).request;
    const reply = readTranscript(plan.upstream, bytes, { type, format });
    const masked = await guardTranscript(context, answered, reply);
    await settleTranscript(context, answered, reply);
    for (const event of unfoldTranscript(masked ?? reply)) await writer.write(event);
    writer.end();
    return undefined;
  }
  const handler = new StreamHandler(context, answered, writer);
  const { drain } = plan.resolution.provider;
  return pumpStream(response.body, context.exchange.sink, handler, limits, drain);
}

/** What a stream that broke off adds up to. */
const broken: TranscriptionReply = { text: "", failure: cutTranscript };

/** Writes the events of a stream in the caller's form. */
class StreamWriter {
  readonly #context: Context<ReplyService>;
  readonly #answered: AnsweredTranscription;
  readonly #machine: Machine<TranscriptionEvent, unknown>;

  constructor(context: Context<ReplyService>, answered: AnsweredTranscription) {
    this.#context = context;
    this.#answered = answered;
    const { stream } = answered.ask.codec as Required<TranscriptionCodec>;
    this.#machine = stream.encode(callerRequest(answered));
  }

  write(event: TranscriptionEvent): Promise<void> | undefined {
    return this.raw(this.#machine.step(event).map(frame).join(""));
  }

  raw(bytes: string | Uint8Array): Promise<void> | undefined {
    const { sink } = this.#context.exchange;
    if (!sink.started)
      sink.head(200, {
        "content-type": "text/event-stream; charset=utf-8",
        ...streamHeaders,
        ...traceHeaders(this.#answered.trace),
      });
    return bytes.length > 0 ? sink.write(bytes) : undefined;
  }

  end(): void {
    this.#context.exchange.sink.end(this.#machine.end().map(frame).join(""));
  }
}

const frame = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;

/** Reads a streamed transcript, and settles it at its end. */
class StreamHandler {
  readonly #context: Context<ReplyService>;
  readonly #answered: AnsweredTranscription;
  readonly #writer: StreamWriter;
  #forwards: boolean;
  readonly #machine: Machine<Uint8Array, TranscriptionEvent>;
  /** The events as they are forwarded. */
  readonly #shown = jsonEvents();
  /**
   * The texts that are not sent yet, in latin1: those before the first event, which may be an error, and those with the
   * end of the transcript, which follow the settlement.
   */
  #held: string[] = [];
  #last: TranscriptionEvent[] = [];
  #reply: TranscriptionReply | undefined;
  #hasBegun = false;
  /** Bytes of text so far. */
  #arrived = 0;

  constructor(context: Context<ReplyService>, answered: AnsweredTranscription, writer: StreamWriter) {
    this.#context = context;
    this.#answered = answered;
    this.#writer = writer;
    this.#forwards = forwards(answered);
    const { stream } = answered.plan.upstream as Required<TranscriptionCodec>;
    this.#machine = readTranscriptEvents(stream, (chunk) => this.#notice(chunk));
  }

  onData(bytes: Uint8Array): Promise<void> | undefined {
    const events = this.#machine.step(bytes);
    return this.#take(events, this.#forwards ? this.#shown.step(bytes) : []);
  }

  /** Has a stream written anew whose first chunks have a form that callers do not know. */
  #notice(chunk: Json): void {
    if (this.#hasBegun || !this.#answered.plan.upstream.stream?.isForeign?.(chunk)) return;
    this.#forwards = false;
    this.#held = [];
  }

  async onEnd(): Promise<void> {
    await this.#take(this.#machine.end(), this.#forwards ? this.#shown.end() : []);
    const { trace, plan } = this.#answered;
    if (!this.#reply && this.#hasBegun) {
      trace.fault = "cut";
      return this.#broke();
    }
    const { failure, usage } = this.#reply ?? broken;
    if (failure && this.#hasBegun) {
      if (failure.raw) noteFailure(trace, failure, plan.endpoint.provider);
      trace.fault = failure.kind;
      return this.#broke(usage);
    }
    try {
      await settleTranscript(this.#context, this.#answered, this.#reply ?? broken);
    } catch (error) {
      const { sink } = this.#context.exchange;
      if (sink.started) sink.abort();
      throw error;
    }
    await this.#writeHeld();
    for (const event of this.#last) await this.#writer.write(event);
    this.#writer.end();
  }

  async onError(error: unknown): Promise<void> {
    if (!this.#hasBegun) throw await fail(this.#context, this.#answered.generation, error);
    this.#answered.generation.noteFault(error);
    await this.#broke();
  }

  #take(events: readonly TranscriptionEvent[], shown: readonly string[]): Promise<void> | undefined {
    this.#hasBegun ||= events.some((event) => event.type !== "done" || !event.reply.failure);
    for (const event of events) if (event.type === "delta") this.#arrived += Buffer.byteLength(event.text);
    const done = events.findIndex(({ type }) => type === "done");
    const end = done < 0 ? undefined : events[done];
    if (end?.type === "done") this.#reply ??= end.reply;
    if (this.#forwards) {
      this.#held.push(...shown);
      if (this.#reply || !this.#hasBegun) return undefined;
      return this.#writeHeld();
    }
    if (end) this.#last.push(...events.slice(done));
    return this.#writeAll(done < 0 ? events : events.slice(0, done));
  }

  async #writeHeld(): Promise<void> {
    for (const shown of this.#held.splice(0)) await this.#writer.raw(Buffer.from(shown, "latin1"));
  }

  async #writeAll(events: readonly TranscriptionEvent[]): Promise<void> {
    for (const event of events) await this.#writer.write(event);
  }

  /** Settles a stream that broke off: the provider had the recording, so it is charged. The caller's stream breaks off too. */
  async #broke(reported?: TranscriptionReply["usage"]): Promise<void> {
    const { trace, generation, plan } = this.#answered;
    const { services, caller, exchange } = this.#context;
    const { breakers } = services.routing;
    if (trace.isBlameless) breakers.inconclusive(plan.resolution.id, caller.accountId);
    else breakers.failed(plan.resolution.id, caller.accountId);
    const isLeft = exchange.sink.closed;
    const used = usedBy(this.#context, this.#answered, reported ? { usage: reported } : {});
    // The output is the larger of what the provider counted and what had arrived: it may count the input alone so far.
    const isSold = transcriptionUnit(plan.resolution.terms.price) === "tokens";
    const arrived = isSold ? Math.ceil(this.#arrived / TOKEN_BYTES) : 0;
    const isCounted = reported !== undefined && !used.estimated && used.output >= arrived;
    const usage = isCounted ? used : { ...used, output: arrived, estimated: true };
    await generation.settle(isLeft ? "aborted" : "failed", usage, priceOf(this.#answered));
    exchange.sink.abort();
  }
}
