import type { AnyProvider } from "../codec/codec.ts";
import { DONE } from "../codec/codec-base.ts";
import type { Machine } from "../codec/machine.ts";
import { GrowingReply } from "../ir/fold.ts";
import type { Event, Opening, Reply } from "../ir/index.ts";
import { type Wires, wires } from "../protocols/facts.ts";
import { FRAME_LIMIT, FrameTooLong } from "../stream/frame-limit.ts";
import { isKeepAlive } from "../stream/keep-alive.ts";
import { parseWire } from "../stream/long-integers.ts";
import { type Frame, readFrames } from "../stream/read-frames.ts";
import type { ReplyOptions } from "./reply.ts";
import { ReplyReader } from "./reply-reader.ts";

/** The alternatives of a reply in their canonical form. */
export interface FoldedReply extends Pick<Reply, "choices"> {
  /** There was more of it than is folded. */
  truncated?: true;
}

/** What a reply is folded with. */
export interface FoldOptions extends Pick<ReplyOptions, "restore" | "protocols" | "unary"> {
  /** The most characters that are taken of it. */
  most: number;
}

/** The characters that are left of media. */
const MAX_MEDIA = 64;

/**
 * Folds a provider's reply while it passes by, be it relayed or translated. Bytes that cannot be read as a reply of
 * the protocol end it without an error. Media is cut short; seals, probabilities and members of single wires are left out.
 */
export class ReplyFold {
  readonly #wires: Wires;
  readonly #isUnary: boolean;
  readonly #reader: ReplyReader;
  readonly #growing = new GrowingReply();
  /** The characters that may still be taken. */
  #remaining: number;
  #isCut = false;
  #isOver = false;
  #frames: Machine<Uint8Array, Frame> | undefined;
  /** The unary body so far. */
  #body: Uint8Array[] = [];

  /** `from` is the provider's protocol. */
  constructor(from: AnyProvider, { most, restore, protocols = wires, unary = false }: FoldOptions) {
    this.#wires = protocols;
    this.#isUnary = unary;
    this.#reader = new ReplyReader(from, restore, protocols);
    this.#remaining = most;
  }

  /** Takes bytes of the provider's reply, cut anywhere. They must not change afterwards if it is unary. */
  push(bytes: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#isUnary) {
      this.#body.push(bytes);
      return;
    }
    this.#frames ??= readFrames(FRAME_LIMIT);
    this.#read(() => this.#frames?.step(bytes) ?? []);
  }

  /** Takes events of a reply that is read already, in place of its bytes. */
  add(events: readonly Event[]): void {
    for (const event of events) this.#add(event);
  }

  /** Ends the reply; undefined if nothing was read of it. */
  end(): FoldedReply | undefined {
    if (this.#isUnary) this.#readBody();
    else if (this.#frames) {
      this.#read(() => this.#frames?.end() ?? []);
      for (const event of this.#reader.end()) this.#add(event);
    }
    const { choices } = this.#growing.reply;
    if (choices.length === 0) return undefined;
    return { choices, ...(this.#isCut && { truncated: true }) };
  }

  #read(next: () => Frame[]): void {
    try {
      for (const frame of next()) this.#chunk(frame);
    } catch (error) {
      if (!(error instanceof FrameTooLong)) throw error;
      this.#isOver = true;
    }
  }

  #chunk(frame: Frame): void {
    const { data } = frame;
    if (this.#isOver || isKeepAlive(data)) return;
    const events = data === DONE ? this.#reader.step(DONE) : this.#reader.read(frame);
    if (events) this.add(events);
    else this.#isOver = true;
  }

  #readBody(): void {
    if (this.#body.length === 0) return;
    const decoder = new TextDecoder();
    const text = this.#body.map((bytes) => decoder.decode(bytes, { stream: true })).join("");
    this.#body = [];
    const body = parseWire(text + decoder.decode(), this.#wires);
    if (typeof body !== "object" || body === null) return;
    for (const event of this.#reader.body(body)) this.#add(event);
  }

  #add(event: Event): void {
    switch (event.type) {
      case "open": {
        const part = withoutPrivateMembers(event.part);
        const isWhole = part.type === "media" || part.type === "opaque";
        if (!isWhole || this.#consume(JSON.stringify(part).length)) this.#growing.add({ ...event, part });
        break;
      }
      case "delta": {
        const text = event.text.slice(0, this.#remaining);
        if (this.#consume(event.text.length) || text !== "") this.#growing.add({ ...event, text });
        break;
      }
      case "cite":
        if (this.#consume(JSON.stringify(event.citation).length)) this.#growing.add(event);
        break;
      case "finish":
        this.#growing.add(event);
        break;
    }
  }

  /** Counts characters; false if they are more than may be taken. */
  #consume(length: number): boolean {
    const fits = length <= this.#remaining;
    if (!fits) this.#isCut = true;
    this.#remaining = Math.max(0, this.#remaining - length);
    return fits;
  }
}

/** The first that is known of a part, without what only its own protocol reads, and with the beginning of media. */
function withoutPrivateMembers(part: Opening): Opening {
  if (part.type === "opaque") return part;
  const { extra: _, ...rest } = part;
  if (rest.type === "media" && rest.source.type === "base64") {
    const { data } = rest.source;
    const cut = data.length > MAX_MEDIA ? `${data.slice(0, MAX_MEDIA)}…(${data.length} characters)` : data;
    return { ...rest, source: { ...rest.source, data: cut } };
  }
  if (rest.type !== "call") return rest;
  const { seal: _seal, ...call } = rest;
  return call;
}
