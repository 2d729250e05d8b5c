import {
  type AnyCodec,
  DONE,
  MalformedReply,
  type Observation,
  observe,
  writeFrame,
} from "@manifold-gateway/core";
import { FRAME_LIMIT, isTooDeep, truncated } from "@manifold-gateway/core/codec";
import type { Framing } from "@manifold-gateway/core/wire";
import type { Hide } from "../generation/hide-secrets.ts";
import { dataOnly } from "./data-only.ts";
import { dataOf, withData } from "./event-data.ts";
import { EventSplitter, toBytes } from "./event-splitter.ts";
import { renaming } from "./rename-model.ts";

const COMMENT = /^(?:\u00ef\u00bb\u00bf)?:/;

interface RelayOptions {
  /** Given only if the caller wants other frames than server-sent events: they hold the text of the chunks. */
  framing?: Pick<Framing, "frame"> | undefined;
  /** Hides credentials in failures; other events are not touched. */
  hide?: Hide;
  /** Replaces the model's name. */
  name?: string | undefined;
}

/**
 * Relays a stream unchanged, event by event, while observing it. Of protocols with data only, other lines are left
 * out. The text is latin1, one character for each byte.
 */
export class RelayStream {
  readonly #codec: AnyCodec;
  readonly #framing: RelayOptions["framing"];
  readonly #hide: Hide;
  readonly #rename: ((text: string) => string) | undefined;
  readonly #observer: ReturnType<typeof observe>;
  readonly #events = new EventSplitter();
  /**
   * `opening`: no chunk has arrived. `streaming`: chunks are sent as they arrive. `ending`: the chunk that ends the
   * reply has arrived, and is held. `closed`: the closing line has arrived, and what follows is dropped. `failed`: the
   * provider reported an error, and what follows may repeat our credentials.
   */
  #state: "opening" | "streaming" | "ending" | "closed" | "failed" = "opening";
  /** Events without data from before the first chunk, such as a proxy's page: sent only once a reply begins. */
  #early = "";
  #earlySize = 0;
  /** The end of the reply, which may only be sent after the generation is settled. */
  #held = "";
  /** Events to send next that were held: as the end of the reply, but more followed, or from before its beginning. */
  #freed = "";
  #isOver = false;

  constructor(codec: AnyCodec, { framing, hide = (text) => text, name }: RelayOptions = {}) {
    this.#codec = codec;
    this.#framing = framing;
    this.#hide = hide;
    this.#rename = name === undefined ? undefined : renaming(codec, toBytes(JSON.stringify(name)));
    this.#observer = observe(codec);
  }

  push(bytes: Uint8Array): string {
    this.#events.add(bytes);
    return this.#relay();
  }

  finish(fault?: string): string {
    this.#isOver = true;
    const { serviceFailure, closing } = this.#codec.frame;
    if (fault === undefined) {
      this.#events.end();
      // Events that may be sent come before the held ones.
      this.#held = this.#relay() + this.#held;
      // Nothing of it was a reply, so nothing is relayed. If nothing was sent yet, the answer is an error status.
      if (this.#state === "opening") throw new MalformedReply();
    }
    const observation = this.#observer.end();
    const isWhole = this.#state === "closed" || observation.finish !== undefined;
    if (this.#state === "failed" || !isWhole || fault !== undefined) {
      // A stream that the provider broke off ends without its completion. Two protocols let us add an error event.
      observation.failure ??= fault === undefined ? truncated : { ...truncated, message: fault };
      if (this.#state !== "failed" && serviceFailure) return this.#failure(observation);
    } else if (closing && this.#state !== "closed" && !this.#framing) this.#held += writeFrame(closing);
    return this.#held;
  }

  observation(): Observation {
    // In mid-stream, `end` must not be called: a codec reads no usage after its end.
    return this.#isOver ? this.#observer.end() : this.#observer.soFar();
  }

  #relay(): string {
    const skimmed = this.#skim();
    let out = this.#freed + skimmed;
    this.#freed = "";
    for (let event = this.#events.next(); event !== undefined; event = this.#events.next()) {
      const shown = this.#shown(event);
      if (this.#freed !== "") {
        out += this.#freed;
        this.#freed = "";
      }
      if (this.#holds()) this.#held += shown;
      else out += shown;
    }
    return out;
  }

  /** Takes the plain events at the start that hold only content: they need not be examined one by one. */
  #skim(): string {
    if (this.#framing || this.#rename || this.#holds()) return "";
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
  #shown(sent: string): string {
    const { frame } = this.#codec;
    // What a provider sends after the end is dropped.
    if (this.#state === "closed" || (this.#state === "failed" && frame.serviceFailure)) return "";
    const event = frame.dataOnly ? dataOnly(sent) : sent;
    const raw = dataOf(event) ?? "";
    const data = this.#events.decode(raw);
    // Some servers keep a connection alive by empty events.
    if (data.trim() === "") return this.#empty(event, sent.length);
    if (data === DONE) return this.#close(event);
    this.#begin();
    this.#examine(data);
    // Only the error of our own form is sent, and it is held already.
    if (this.#state === "failed" && frame.serviceFailure) return "";
    const shown = this.#framed(event, raw, this.#rename ? this.#rename(raw) : raw);
    return this.#state === "failed" ? this.#hide(shown) : shown;
  }

  #framed(event: string, raw: string, data: string): string {
    if (this.#framing) return this.#framing.frame(data);
    return data === raw ? event : withData(event, raw, data);
  }

  /** Observes a chunk, and what it says about the state of the reply. */
  #examine(data: string): void {
    // A chunk that is not an object was damaged in transit, and nothing after it can be trusted. Parsers recurse: one
    // that is nested too deep overflows their stack.
    if (!(data.startsWith("{") && data.trimEnd().endsWith("}")) || isTooDeep(data))
      throw new MalformedReply();
    const { last, failed } = this.#observer.chunk(data);
    if (this.#holds() && this.#codec.frame.more) {
      this.#freed += this.#held;
      this.#held = "";
    }
    if (failed && this.#state !== "failed") {
      this.#state = "failed";
      if (this.#codec.frame.serviceFailure) this.#held += this.#failure(this.#observer.end());
    } else if (last && this.#state === "streaming") this.#state = "ending";
  }

  /** The text to send of an event without data. */
  #empty(event: string, size: number): string {
    if (this.#framing) return "";
    if (this.#state !== "opening") return event;
    if (COMMENT.test(event)) {
      this.#free();
      return event;
    }
    this.#early += event;
    this.#earlySize += size;
    if (this.#earlySize > FRAME_LIMIT) throw new MalformedReply();
    return "";
  }

  /** The text to send of the closing line. Alone it is not a reply. */
  #close(event: string): string {
    if (this.#state === "opening") return "";
    if (this.#state !== "failed") this.#state = "closed";
    return this.#framing ? "" : event;
  }

  #begin(): void {
    if (this.#state !== "opening") return;
    this.#state = "streaming";
    this.#free();
  }

  #free(): void {
    this.#freed += this.#early;
    this.#early = "";
  }

  #holds(): boolean {
    return this.#state !== "opening" && this.#state !== "streaming";
  }

  /** The event that reports a failed stream to a caller of this protocol. */
  #failure({ failure }: Observation): string {
    const message = this.#hide(failure?.message ?? truncated.message);
    const writer = this.#codec.reply.encode({ id: "", model: "", created: 0 }, () => {});
    const chunks = writer.step({ type: "failure", failure: { ...truncated, message } });
    const chunk = JSON.stringify(chunks.at(-1));
    return toBytes(this.#framing ? this.#framing.frame(chunk) : writeFrame(chunk));
  }
}
