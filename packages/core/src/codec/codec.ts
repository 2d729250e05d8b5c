import type { ZodType } from "zod";
import type { Failure } from "../ir/failure.ts";
import type { Event, Protocol, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Summary } from "../stream/observe.ts";
import type { BillingFacts } from "./billing-facts.ts";
import type { Unfetched } from "./fetched-addresses.ts";
import type { Machine } from "./machine.ts";
import type { ParamTable } from "./params.ts";
import type { Traits } from "./traits.ts";
import type { WireFacts } from "./wire-facts.ts";

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
}

/** Writes a reply, event by event. */
export interface ReplyWriter<Chunk> extends Machine<Event, Chunk> {
  /**
   * A faster `step` for words that continue a part: returns the JSON text of their chunk, and the event name of its
   * frame. Returns nothing where the words need more than one such chunk; call `step` then.
   */
  words?(delta: Event & { type: "delta" }): { json: string; event?: string } | undefined;
}

/** Names and ids as a wire can spell them. */
export interface Spelling {
  pattern: RegExp;
  max: number;
  /** Names that do not fit are replaced by just as many letters and digits. */
  exact?: number;
}

/** Records where on the caller's wire a node of the IR came from, as a JSON pointer. */
export type Trace = (node: object, pointer: string) => void;
/** Remembers no places. */
export const noTrace: Trace = () => {};

/**
 * Both directions between one protocol and the IR. Pure and total: the same inputs give the same outputs, and
 * nothing that a client or a model wrote makes it throw. The laws that tie the directions together:
 *
 *     gather(burst(body))                      = body
 *     fold(run(reply.decode(), chunks))        = fold(run(reply.decode(), burst(body)))      of the same reply
 *     request.decode(request.encode(r))        = r
 *     fold(run(reply.decode(), run(reply.encode(head), unfold(reply)))) = reply
 */
export interface Codec<Wire = JsonObject, Chunk = Json, Body = JsonObject> {
  protocol: Protocol;
  /** One row per scalar parameter, read in both directions. */
  params: ParamTable;
  /**
   * The wire's own members for those of messages, parts and tools that the IR calls otherwise, as pointers below the
   * node; of several the one that is there.
   */
  members?: Readonly<Record<string, readonly string[]>>;
  /** The meanings of its members for the vendor's bill. */
  billing: BillingFacts;
  /** Facts about its requests for shared code. */
  facts: WireFacts;
  /** The places where an address in a request is only text. */
  unfetched: Unfetched;
  /** Tool names that the wire can spell. */
  names: Spelling;
  /** Call ids that the wire can spell. */
  ids: Spelling;
  /** True if the wire has tools that take free text. */
  freeform: boolean;
  /** The traits of a server of this wire, unless more is known about it. Default: the newest behaviour. */
  defaults?: Traits;
  /** Path below a provider's base, with the query that selects server-sent events. */
  endpoint(model: string, stream: boolean): string;
  /** The endpoint that counts the input tokens of a request; absent where the wire has none. */
  count?: {
    /** Path below a provider's base. */
    endpoint(model: string): string;
    /** Turns a request into one for this endpoint. `model` is the name that the provider knows. */
    ask(wire: Wire, model: string): JsonObject;
    /** The count that an answer holds. */
    read(body: JsonObject): number | undefined;
  };
  request: {
    /** The wire's request, loose: unknown fields pass. */
    schema: ZodType<Wire>;
    decode(wire: Wire, trace?: Trace): TextRequest;
    encode(request: TextRequest, lose: Lose, traits?: Traits): Wire;
  };
  reply: {
    /** Reads chunks; mistyped ones are read as far as they go. `end` of an unfinished reply gives a failure. */
    decode(): Machine<Json, Event>;
    /** Writes chunks. After a failure nothing that looks like completion is written. */
    encode(head: Head, lose: Lose): ReplyWriter<Chunk>;
    /**
     * The facts of a unary body, as its events give them, read without making the events. `undefined` for bodies that
     * only `decode` reads. A codec can leave it out: it is for speed.
     */
    summary?(body: Json): Summary | undefined;
    /** A unary body as chunks, structure only. */
    burst(body: Json): Json[];
    /** Chunks as a unary body, structure only. */
    gather(chunks: Iterable<Chunk>): Body;
    /**
     * Strings, at least one of which stands in the JSON text of every chunk that holds usage, an end or an
     * error: a pass-through looks into no other chunk.
     */
    marks: readonly string[];
    /** Where bodies and chunks say which model answered, as paths of members. */
    model?: readonly (readonly string[])[];
    /** Member names whose string values are generated content: what a cut stream is estimated by. */
    content: readonly string[];
    /** The chunk that ends a reply says all of its content again. */
    repeats?: true;
  };
  frame: {
    /** The event name that a chunk is framed with; none where the wire has none. */
    event?(chunk: Chunk): string | undefined;
    /** Checks whether the chunk ends the reply: it is held until the generation is settled. */
    last(chunk: Json): boolean;
    /** More may follow the chunk that `last` names; which was the last is only known when the stream is over. */
    more?: true;
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
  failure: {
    /** The header that names the kind of an error, and the member of the body that `decode` reads it from. */
    header?: { name: string; member: string };
    decode(status: number, body: Json | undefined): Failure;
    encode(failure: Failure): { status: number; body: JsonObject };
  };
}

/** The closing line of the streams that have one; it travels as a chunk. */
export const DONE = "[DONE]";
