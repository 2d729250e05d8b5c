import type { Machine } from "../codec/machine.ts";
import type { Event } from "../ir/index.ts";
import type { Loss } from "../ir/loss.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Wires } from "../protocols/facts.ts";
import type { Observation } from "../stream/observe.ts";
import type { Framing } from "../wire/framing.ts";
import type { ReplyEncoding } from "./bytes.ts";

/** The headers of a provider's answer, with names in lower case. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A unary answer for the caller. */
export interface WholeReply {
  /** The HTTP status to answer with. */
  status: number;
  /** Headers that belong to the body: `retry-after` of an error. */
  headers: Record<string, string>;
  /** An object that is to be written as JSON; text or bytes where the provider's body is relayed. */
  body: JsonObject | string | Uint8Array;
}

/**
 * One reply from a provider on its way to a caller, relayed or translated, without I/O. Call `push` and `finish` for a
 * stream, or `whole` for a unary body. Each throws `MalformedReply`, or `FrameTooLong`, if the provider sent something
 * that is not a reply of its protocol.
 */
export interface Reply {
  /** How the text of `push` and `finish` becomes bytes: `replyBytes(text, encoding)`. */
  readonly encoding: ReplyEncoding;
  /** What the caller's protocol cannot express of the reply; grows with it. */
  readonly losses: readonly Loss[];
  /** What ends a stream has arrived: whatever happens to the connection behind it, the reply is whole. */
  readonly isOver: boolean;
  /** Takes bytes of the provider's stream, cut anywhere. Returns the text that may be sent now. */
  push(bytes: Uint8Array): string;
  /**
   * Returns the rest of the text once the provider's stream is over. `fault` says why it broke off, for the caller's
   * client. If it throws, call it once more with a fault.
   */
  finish(fault?: string): string;
  /** Converts a unary body, or the body of an error: `status` and `headers` are the provider's. */
  whole(status: number, headers: ReplyHeaders, bytes: Uint8Array): WholeReply;
  /** The facts that are known so far about usage, end and failure. */
  observation(): Observation;
}

/** A streamed reply of which a program holds events back, to let them go later or in another form. */
export interface HeldReply extends Reply {
  /** Returns the text of events that were held back. */
  release(events: Event[]): string;
  /** Reads the end of the provider's stream, whose events may be held as well. Call it before `finish`. */
  drain(): string;
}

/** What a provider's errors are read and written with. */
export interface RefusalOptions {
  /** Lists the credentials of the provider, which its errors may repeat: they are hidden. Default: none. */
  secrets?: (() => readonly string[]) | undefined;
  /** Unix milliseconds, for a `retry-after` that is a date. Without it such a header is left out. */
  now?: number | undefined;
  /** The provider's errors have another shape than its protocol's, so that they are never relayed. */
  foreignErrors?: boolean | undefined;
}

/** What a reply is written with, beside its plan. */
export interface ReplyOptions extends RefusalOptions {
  /** The machine that `restore()` of the encoded request returns. Default: no names were changed. */
  restore?: Machine<Event, Event> | undefined;
  /** Receives the events of a translated reply as they are read. */
  watch?: ((events: readonly Event[]) => void) | undefined;
  /** What the events of a stream pass before they are written. Default: nothing. */
  hold?: Machine<Event, Event> | undefined;
  /** The form of the stream. Default: server-sent events. */
  framing?: Pick<Framing, "frame" | "close"> | undefined;
  /** The protocols that the program has. Default: the library's own. */
  protocols?: Wires | undefined;
  /** The provider answered with a unary body although a stream was requested. */
  unary?: boolean | undefined;
  /** The schema of the answer: a unary body that has it fenced or in prose becomes the JSON that it holds. */
  answerSchema?: Json | undefined;
  /** The model's name in a relayed answer. Default: the provider's. */
  name?: string | undefined;
}
