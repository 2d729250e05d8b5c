import type { Head } from "../codec/caller-codec.ts";
import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import { DONE } from "../codec/codec-base.ts";
import { truncated } from "../ir/failure.ts";
import { ignoreLosses, type Loss } from "../ir/loss.ts";
import { isTooComplex } from "../json/bounded.ts";
import { FRAME_LIMIT } from "../stream/frame-limit.ts";
import { isKeepAlive } from "../stream/keep-alive.ts";
import { MalformedReply } from "../stream/malformed-reply.ts";
import { type Observation, observe } from "../stream/observe.ts";
import { strayError } from "../stream/stray-error.ts";
import { COMMENT, writeFrame } from "../stream/write-frame.ts";
import { asLatin1 } from "./bytes.ts";
import { dataOnly } from "./data-only.ts";
import { dataOf, withData } from "./event-data.ts";
import { EventSplitter } from "./event-splitter.ts";
import { type Hide, hideSecrets } from "./hide-secrets.ts";
import { MOST_KEPT, noReply } from "./no-reply.ts";
import { convertRefusal } from "./refused-reply.ts";
import { relayBody } from "./relay-body.ts";
import { renaming } from "./rename-model.ts";
import type { Reply, ReplyHeaders, ReplyOptions, WholeReply } from "./reply.ts";

const COMMENT_LINE = /^(?:\u00ef\u00bb\u00bf)?:/;

/**
 * One reply for a caller of the provider's own protocol. It is relayed unchanged but for the model's name, a stream event
 * by event, while observing it. Of protocols with data only, other lines are left out. The text is latin1, one character
 * for each byte.
 */
export class RelayedReply implements Reply {
  readonly encoding = "latin1";
  readonly losses: readonly Loss[] = [];
  readonly #options: ReplyOptions;
  readonly #from: AnyProvider;
  readonly #codec: AnyCaller;
  readonly #head: Head;
  readonly #framing: ReplyOptions["framing"];
  readonly #hide: Hide;
  readonly #rename: ((text: string) => string) | undefined;
  /** Whether errors are written in the service's own form, also those that the provider sends in the stream. */
  readonly #endsWithServiceError: boolean;
  // Made for the first bytes: a unary reply needs neither.
  #observer!: ReturnType<typeof observe>;
  #events!: EventSplitter;
  /** The facts of a unary reply. */
  #observation: Observation = { content: 0 };
  /**
   * `opening`: no chunk has arrived. `streaming`: chunks are sent as they arrive. `ending`: the chunk that ends the
   * reply has arrived, and is held. `closed`: the closing line has arrived, and what follows is dropped. `failed`: the
   * provider reported an error, and what follows may repeat our credentials.
   */
  #state: "opening" | "streaming" | "ending" | "closed" | "failed" = "opening";
  /** Events without data from before the first chunk, such as a proxy's page: sent only once a reply begins. */
  #early = "";
  #earlySize = 0;
  /** What arrived instead of a chunk. */
  #unreadable = "";
  /** The end of the reply, which may only be sent after the generation is settled. */
  #held = "";
  /** Held events to send next: those held as the end of a reply that went on, or from before its beginning. */
  #released = "";
  #isOver = false;

  /** `from` is the provider's half of the protocol, `to` the caller's. */
  constructor(from: AnyProvider, to: AnyCaller, head: Head, options: ReplyOptions = {}) {
    const { framing, secrets, name } = options;
    this.#options = options;
    this.#from = from;
    this.#codec = to;
    this.#head = head;
    this.#framing = framing;
    this.#hide = hideSecrets(secrets ?? []);
    this.#rename = name === undefined ? undefined : renaming(from, asLatin1(JSON.stringify(name)));
    this.#endsWithServiceError = head.serviceForm === true && to.frame.serviceFailure === true;
  }

  get isOver(): boolean {
    return this.#state === "closed" || (this.#state === "ending" && !this.#codec.frame.more);
  }

  push(bytes: Uint8Array): string {
    this.#events ??= new EventSplitter();
    this.#observer ??= observe(this.#from);
    this.#events.add(bytes);
    return this.#relay();
  }

  finish(fault?: string): string {
    this.#isOver = true;
    this.#events ??= new EventSplitter();
    this.#observer ??= observe(this.#from);
    const { closing } = this.#codec.frame;
    if (fault === undefined) {
      this.#events.end();
      // Events that may be sent come before the held ones.
      this.#held = this.#relay() + this.#held;
      // Nothing of it was a reply, so nothing is relayed. If nothing was sent yet, the answer is an error status.
      if (this.#state === "opening") throw this.#unread(this.#events.decode(this.#unreadable));
    }
    const observation = this.#observer.end();
    const isWhole = this.#state === "closed" || observation.finish !== undefined;
    if (this.#state === "failed" || !isWhole || fault !== undefined) {
      // A stream that the provider broke off ends without its completion, by an error of the caller's protocol; of the
      // service's streams only two protocols have one.
      observation.failure ??= fault === undefined ? truncated : { ...truncated, message: fault };
      if (this.#state !== "failed" && (this.#endsWithServiceError || !this.#head.serviceForm))
        return this.#failure(observation) + (this.#framing?.close() ?? "");
    } else if (closing && this.#state !== "closed" && !this.#framing) this.#held += writeFrame(closing);
    return this.#held + (this.#framing?.close() ?? "");
  }

  whole(status: number, headers: ReplyHeaders, bytes: Uint8Array): WholeReply {
    if (status >= 400) {
      const refused = convertRefusal({ status, headers, bytes }, this.#from, this.#codec, this.#options);
      this.#observation = { content: 0, failure: refused.failure };
      return refused.whole;
    }
    const { whole, observation } = relayBody(bytes, this.#from, this.#codec, this.#options);
    this.#observation = observation;
    return whole;
  }

  observation(): Observation {
    if (!this.#observer) return this.#observation;
    // In mid-stream, `end` must not be called: a codec reads no usage after its end.
    return this.#isOver ? this.#observer.end() : this.#observer.soFar();
  }

  #relay(): string {
    const skimmed = this.#skim();
    let out = this.#released + skimmed;
    this.#released = "";
    for (let event = this.#events.next(); event !== undefined; event = this.#events.next()) {
      const shown = this.#eventText(event);
      if (this.#released !== "") {
        out += this.#released;
        this.#released = "";
      }
      if (this.#isHolding()) this.#held += shown;
      else out += shown;
    }
    return out;
  }

  /** Takes the plain events at the start that hold only content: they need not be examined one by one. */
  #skim(): string {
    if (this.#framing || this.#rename || this.#isHolding()) return "";
    const plain = this.#events.plain(this.#codec.frame.dataOnly === true);
    if (plain === "") return "";
    const text = this.#events.decode(plain);
    // Bytes that are not UTF-8 were replaced by longer ones, so that positions differ.
    if (text !== plain && text.includes("\ufffd")) return "";
    const length = this.#observer.skim(text);
    if (length === 0) return "";
    this.#begin();
    return this.#events.take(
      length === text.length ? plain.length : this.#events.lengthOf(text.slice(0, length)),
    );
  }

  /** The text to send of an event. */
  #eventText(sent: string): string {
    const { frame } = this.#codec;
    // What a provider sends after the end is dropped.
    if (this.#state === "closed" || (this.#state === "failed" && this.#endsWithServiceError)) return "";
    const event = frame.dataOnly ? dataOnly(sent) : sent;
    const raw = dataOf(event);
    if (raw === undefined) {
      const stray = strayError(sent);
      return stray === undefined ? this.#withoutData(event, sent) : this.#eventText(`data: ${stray}\n\n`);
    }
    const data = this.#events.decode(raw);
    // Clients parse all data as JSON, so a keep-alive is sent to them as a comment.
    if (isKeepAlive(data)) return this.#withoutData(frame.dataOnly ? COMMENT : event, sent);
    if (data === DONE) return this.#close(event);
    this.#begin();
    this.#examine(data);
    // Only the error of our own form is sent, and it is held already.
    if (this.#state === "failed" && this.#endsWithServiceError) return "";
    const shown = this.#framed(event, raw, this.#rename ? this.#rename(raw) : raw);
    return this.#state === "failed" ? this.#hide(shown) : shown;
  }

  #framed(event: string, raw: string, data: string): string {
    if (this.#framing) return this.#framing.frame(data);
    return data === raw ? event : withData(event, raw, data);
  }

  /** Observes a chunk, and updates the state of the reply by it. */
  #examine(data: string): void {
    // A chunk that is not an object was damaged in transit, and nothing after it can be trusted. Parsers recurse: one
    // that is nested too deep overflows their stack.
    if (!(data.startsWith("{") && data.trimEnd().endsWith("}")) || isTooComplex(data))
      throw this.#unread(data);
    const { last, failed } = this.#observer.chunk(data);
    if (this.#isHolding() && this.#codec.frame.more) {
      this.#released += this.#held;
      this.#held = "";
    }
    if (failed && this.#state !== "failed") {
      this.#state = "failed";
      if (this.#endsWithServiceError) this.#held += this.#failure(this.#observer.end());
    } else if (last && this.#state === "streaming") this.#state = "ending";
  }

  /** The text to send of an event without data. */
  #withoutData(event: string, sent: string): string {
    if (this.#framing) return "";
    if (this.#state !== "opening") return event;
    if (COMMENT_LINE.test(event)) {
      this.#releaseEarly();
      return event;
    }
    if (this.#unreadable.length < MOST_KEPT) this.#unreadable += sent.slice(0, MOST_KEPT);
    this.#early += event;
    this.#earlySize += sent.length;
    if (this.#earlySize > FRAME_LIMIT) throw new MalformedReply();
    return "";
  }

  /** The text to send of the closing line. Alone it is not a reply. */
  #close(event: string): string {
    if (this.#state === "opening") return "";
    if (this.#state !== "failed") this.#state = "closed";
    return this.#framing ? "" : event;
  }

  #unread = (text: string): MalformedReply => noReply(text, this.#options.secrets);

  #begin(): void {
    if (this.#state !== "opening") return;
    this.#state = "streaming";
    this.#releaseEarly();
  }

  #releaseEarly(): void {
    this.#released += this.#early;
    this.#early = "";
  }

  #isHolding(): boolean {
    return this.#state !== "opening" && this.#state !== "streaming";
  }

  /** The events that report a failed stream to a caller of this protocol. */
  #failure({ failure }: Observation): string {
    const message = this.#hide(failure?.message ?? truncated.message);
    const writer = this.#codec.reply.encode(this.#head, ignoreLosses);
    const { frame = writeFrame } = this.#framing ?? {};
    const { last, event } = this.#codec.frame;
    // Some protocols begin a reply before an error, but this one has begun.
    const ends = writer.step({ type: "failure", failure: { ...truncated, message } }).filter(last);
    return asLatin1(ends.map((chunk) => frame(JSON.stringify(chunk), event?.(chunk))).join(""));
  }
}
