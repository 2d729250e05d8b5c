import type { Failure } from "../ir/failure.ts";
import type { Event, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Validator } from "../schema/validator.ts";
import type { AnyProvider } from "./codec.ts";
import type { CodecBase } from "./codec-base.ts";
import type { Unfetched } from "./fetched-addresses.ts";
import type { Machine } from "./machine.ts";

/** Facts for the writer of a reply, because a machine has no clock and makes no ids. */
export interface Head {
  /** Unique; encoders give it the prefix that their clients look for. */
  id: string;
  /** The model's name in the client's request. */
  model: string;
  /** Unix seconds. */
  created: number;
  /** The likely input tokens, for wires that begin with a count. */
  inputTokens?: number;
  /** The request that is being answered, for wires whose replies echo it. */
  request?: TextRequest;
  /**
   * Errors inside a stream are written as this service's specification says, not as the wire's vendor writes them: of a
   * chat a text and not an object.
   */
  serviceForm?: boolean;
}

/** Writes a reply, event by event. */
export interface ReplyWriter<Chunk> extends Machine<Event, Chunk> {
  /**
   * A faster `step` for words that continue a part: returns the JSON text of their chunk, and the event name of its
   * frame. Returns nothing where the words need more than one such chunk; call `step` then.
   */
  words?(delta: Event & { type: "delta" }): { json: string; event?: string } | undefined;
}

/** Records where on the caller's wire a node of the IR came from, as a JSON pointer. */
export type Trace = (node: object, pointer: string) => void;
/** Remembers no places. */
export const noTrace: Trace = () => {};

/** The half of a codec that serves callers of its protocol: it reads their requests and writes the replies to them. */
export interface CallerCodec<Wire = JsonObject, Chunk = Json, Body = JsonObject> extends CodecBase {
  /**
   * The wire's own members for those of messages, parts and tools that the IR calls otherwise, as pointers below the
   * node; of several the one that is there.
   */
  members?: Readonly<Record<string, readonly string[]>>;
  /** The places where an address in a request is only text. */
  unfetched: Unfetched;
  /**
   * The half by which requests of a variant of the protocol are forwarded and their answers read. Absent: requests are of
   * the protocol itself.
   */
  variant?: AnyProvider;
  /** Reading of requests. */
  request: {
    /** The check of the wire's requests, loose: unknown fields pass. A zod schema fits as well. */
    schema: Validator<Wire>;
    decode(wire: Wire, trace?: Trace): TextRequest;
  };
  /** Writing of replies. */
  reply: {
    /** Writes chunks. After a failure nothing that looks like completion is written. */
    encode(head: Head, lose: Lose): ReplyWriter<Chunk>;
    /**
     * The wire has words of its own for replies that end by a fault, such as a call that could not be read. Of the other
     * wires such a reply without content is an error.
     */
    tellsFaults?: true;
    /** Chunks as a unary body, structure only. */
    gather(chunks: Iterable<Chunk>): Body;
  };
  /** How chunks are written as server-sent events. */
  frame: CodecBase["frame"] & {
    /** The event name that a chunk is framed with; none where the wire has none. */
    event?(chunk: Chunk): string | undefined;
    /** The chunk that our streams of this wire end with, also where upstream's did not. */
    closing?: string;
    /** Errors inside a stream are written in our own form, also where upstream speaks this protocol. */
    serviceFailure?: true;
    /** Events have data and comments only, also where upstream speaks this protocol and sends other fields. */
    dataOnly?: true;
    /**
     * Text that our streams of this wire contain while there is nothing else to send, and that its clients skip. Default:
     * a comment.
     */
    keepAlive?: string;
  };
  /** Writing of errors. */
  failure: {
    encode(failure: Failure): { status: number; body: JsonObject };
  };
}
