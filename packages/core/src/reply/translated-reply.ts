import type { Head, ReplyWriter } from "../codec/caller-codec.ts";
import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import { DONE } from "../codec/codec-base.ts";
import { type Machine, run } from "../codec/machine.ts";
import type { Event } from "../ir/index.ts";
import { collectLosses, type Lose, type Loss } from "../ir/loss.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { type Wires, wires } from "../protocols/facts.ts";
import { FRAME_LIMIT } from "../stream/frame-limit.ts";
import { isKeepAlive } from "../stream/keep-alive.ts";
import { parseWire } from "../stream/long-integers.ts";
import { isUnread, MalformedReply } from "../stream/malformed-reply.ts";
import type { Observation } from "../stream/observe.ts";
import { type Frame, readFrames } from "../stream/read-frames.ts";
import { writeFrame } from "../stream/write-frame.ts";
import { readAnswers } from "./answer-json.ts";
import { hideSecrets, hidingFailures } from "./hide-secrets.ts";
import { MOST_KEPT, noReply } from "./no-reply.ts";
import { convertRefusal, pauseHeaders } from "./refused-reply.ts";
import type { HeldReply, ReplyHeaders, ReplyOptions, WholeReply } from "./reply.ts";
import { ReplyReader } from "./reply-reader.ts";
import { failSilentEnds } from "./silent-end.ts";

/**
 * One reply from a provider to a caller that speaks another protocol, without I/O. Call `push` and `finish` for a stream,
 * or `whole` for a unary body. Each throws `MalformedReply`, or `FrameTooLong`, if the provider sent something that is
 * not a reply of its protocol.
 */
export class TranslatedReply implements HeldReply {
  readonly encoding = "utf8";
  /** What the caller's protocol cannot express. */
  readonly losses: readonly Loss[];
  readonly #lose: Lose;
  readonly #from: AnyProvider;
  readonly #to: AnyCaller;
  readonly #wires: Wires;
  readonly #reader: ReplyReader;
  readonly #writer: ReplyWriter<Json>;
  readonly #frame: (data: string, event?: string) => string;
  readonly #close: (() => string) | undefined;
  /** Whether the reply is one body. Undefined until its first character shows it. */
  #unary: boolean | undefined;
  #frames: Machine<Uint8Array, Frame> | undefined;
  readonly #decoder = new TextDecoder();
  /** The unary body so far; of a stream, its beginning until a chunk arrives. */
  #text = "";
  /** Whether a chunk has arrived, and whether the end of the provider's stream was read. */
  #begun = false;
  #drained = false;
  #isOver = false;
  /** The end of the reply, or an error and what a protocol has to write before it. */
  #held = "";
  #holding = false;
  readonly #options: ReplyOptions;

  /** `from` is the provider's protocol, `to` the caller's. */
  constructor(from: AnyProvider, to: AnyCaller, head: Head, options: ReplyOptions = {}) {
    const { restore, framing, protocols = wires, unary = false, secrets } = options;
    const { losses, lose } = collectLosses();
    this.losses = losses;
    this.#lose = lose;
    this.#from = from;
    this.#to = to;
    this.#wires = protocols;
    this.#options = options;
    const failing = failSilentEnds(from, to, restore);
    const machine = secrets ? hidingFailures(hideSecrets(secrets), failing) : failing;
    this.#reader = new ReplyReader(from, machine, protocols);
    this.#writer = to.reply.encode(head, lose);
    this.#frame = framing?.frame ?? writeFrame;
    this.#close = framing?.close;
    this.#unary = unary || undefined;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes bytes of the provider's stream, cut anywhere. Returns the text that may be sent now. */
  push(bytes: Uint8Array): string {
    this.#unary ??= beginsJson(bytes);
    if (this.#unary) {
      this.#text += this.#decoder.decode(bytes, { stream: true });
      if (this.#text.length > LONGEST_BODY) throw new MalformedReply("The provider's response is too long.");
      return "";
    }
    if (!this.#begun && this.#text.length < MOST_KEPT)
      this.#text += this.#decoder.decode(bytes.subarray(0, MOST_KEPT), { stream: true });
    this.#frames ??= readFrames(FRAME_LIMIT);
    let out = "";
    for (const frame of this.#frames.step(bytes)) out += this.#chunk(frame);
    if (this.#begun) this.#text = "";
    return out;
  }

  /**
   * Returns the rest of the text once the provider's stream is over. `fault` says why it broke off, for the caller's
   * client. If it throws, call it once more with a fault.
   */
  finish(fault?: string): string {
    let out = fault === undefined ? this.drain() : this.#events(this.#reader.breakOff(fault));
    out += this.#write(this.#writer.end());
    return out + this.#held + (this.#close?.() ?? "");
  }

  drain(): string {
    if (this.#drained) return "";
    let out = "";
    if (this.#unary) out = this.#events(this.#body(this.#text + this.#decoder.decode()));
    else {
      for (const frame of this.#frames?.end() ?? []) out += this.#chunk(frame);
      if (!this.#begun) throw this.#unread(this.#text);
      out += this.#events(this.#reader.end());
    }
    out += this.release(this.#options.hold?.end() ?? []);
    this.#drained = true;
    return out;
  }

  /**
   * Translates a unary body, or an error. `status` is the provider's; the answer has its own if the body is an error,
   * whatever status it came with.
   */
  whole(status: number, headers: ReplyHeaders, bytes: Uint8Array): WholeReply {
    if (status >= 400) {
      const { whole, failure } = convertRefusal(
        { status, headers, bytes },
        this.#from,
        this.#to,
        this.#options,
      );
      this.#reader.observation.failure = failure;
      return whole;
    }
    return this.#answer(status, this.#body(this.#decoder.decode(bytes)));
  }

  /** The same of a body that is parsed; `undefined` if it is no JSON. */
  parsed(status: number, body: Json | undefined): WholeReply & { body: JsonObject } {
    return this.#answer(status, this.#read(body));
  }

  /** The facts that are known so far about usage, end and failure. */
  observation(): Observation {
    return this.#reader.observation;
  }

  #answer(status: number, events: Event[]): WholeReply & { body: JsonObject } {
    const { failure } = this.#reader.observation;
    if (failure) return { ...this.#to.failure.encode(failure), headers: pauseHeaders(failure) };
    const { answerSchema: schema, watch } = this.#options;
    watch?.(events);
    const answer = schema === undefined ? events : readAnswers(events, schema, this.#lose);
    return { status, headers: {}, body: this.#to.reply.gather(run(this.#writer, answer)) };
  }

  #body(text: string): Event[] {
    const body = parseWire(text, this.#wires);
    if (body === undefined) throw this.#unread(text);
    return this.#read(body);
  }

  #read(body: Json | undefined): Event[] {
    const isReply = typeof body === "object" && body !== null;
    const events = isReply ? this.#reader.body(body) : [];
    if (isReply && !isUnread(this.#reader.observation)) return events;
    this.#reader.discard();
    throw new MalformedReply();
  }

  #chunk(frame: Frame): string {
    const { data } = frame;
    if (isKeepAlive(data)) return "";
    this.#begun = true;
    if (data === DONE) {
      this.#isOver = true;
      return this.#events(this.#reader.step(DONE));
    }
    const events = this.#reader.read(frame);
    if (!events) throw this.#unread(data);
    const { last, more = false } = this.#from.frame;
    this.#isOver ||= !more && last(this.#reader.chunk);
    return this.#events(events);
  }

  #unread = (text: string): MalformedReply => noReply(text, this.#options.secrets);

  #events(events: Event[]): string {
    const { hold, watch } = this.#options;
    watch?.(events);
    return this.release(hold ? events.flatMap((event) => hold.step(event)) : events);
  }

  release(events: Event[]): string {
    let out = "";
    for (const event of events) {
      const words = event.type === "delta" && !this.#holding ? this.#writer.words?.(event) : undefined;
      if (words) {
        out += this.#frame(words.json, words.event);
        continue;
      }
      // A protocol may have to write its first events before an error. They are held with it, so that the error can
      // still be answered with its own status.
      this.#holding ||= event.type === "failure";
      out += this.#write(this.#writer.step(event));
    }
    return out;
  }

  #write(chunks: Json[]): string {
    const { frame } = this.#to;
    let out = "";
    for (const chunk of chunks) {
      this.#holding ||= frame.last(chunk);
      const text = this.#frame(chunk === DONE ? DONE : JSON.stringify(chunk), frame.event?.(chunk));
      if (this.#holding) this.#held += text;
      else out += text;
    }
    return out;
  }
}

/** The longest unary body of a stream, in characters. */
const LONGEST_BODY = 2 * FRAME_LIMIT;

/** Characters that may precede JSON: white space and a byte order mark. */
const BEFORE_JSON = new Set([9, 10, 13, 32, 0xef, 0xbb, 0xbf]);
const BRACE = 123;
const BRACKET = 91;

/**
 * Checks whether bytes are JSON and not events, whatever their content type: of errors, some servers send the body alone.
 * Undefined if they are only white space.
 */
function beginsJson(bytes: Uint8Array): boolean | undefined {
  const first = bytes.find((byte) => !BEFORE_JSON.has(byte));
  return first === undefined ? undefined : first === BRACE || first === BRACKET;
}
