import type { Dialect } from "../dialect/index.ts";
import type { Failure } from "../ir/failure.ts";
import type { Event, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Edits } from "../json/splice.ts";
import type { Summary } from "../stream/observe.ts";
import type { BillingFacts } from "./billing-facts.ts";
import type { CodecBase } from "./codec-base.ts";
import type { Machine } from "./machine.ts";
import type { Traits } from "./traits.ts";

/** Names and ids as a wire can spell them. */
export interface Spelling {
  pattern: RegExp;
  max: number;
  /** Names that do not fit are replaced by just as many letters and digits. */
  exact?: number;
}

/** Reads a reply, chunk by chunk. */
export interface ReplyDecoder extends Machine<Json, Event> {
  /**
   * A faster `step` for a chunk that differs from the last one only by its words, where that one gave nothing but a
   * delta of its own. Returns nothing where the chunk has to be read.
   */
  words?(text: string): (Event & { type: "delta" }) | undefined;
}

/** The half of a codec that calls servers of its protocol: it writes requests to them and reads their replies. */
export interface ProviderCodec<Wire = JsonObject> extends CodecBase {
  /** The meanings of its members for the vendor's bill. */
  billing: BillingFacts;
  /** Tool names that the wire can spell. */
  names: Spelling;
  /** Call ids that the wire can spell. */
  ids: Spelling;
  /** Names of a function's parameters that the wire can spell; absent where it takes any. */
  keys?: Spelling;
  /** True if the wire has tools that take free text. */
  freeform: boolean;
  /** What the wire takes of a format with a schema. Default: any schema. */
  schemaFormat?: {
    /** Answers of a schema are objects. */
    objects?: true;
    /** The vendor allows only closed objects in the schema. */
    closed?: true;
    /** What stands beside an instruction for a model with the trait `format: "object"`. Default: such a model gets the schema. */
    prompted?: "json" | "nothing";
  };
  /** Whether turns of the model may hold pictures; absent where they always may. */
  modelPictures?(traits: Traits): boolean;
  /**
   * Whether a model with these traits refuses a body of the wire as it is: it is then encoded anew, even in the same
   * protocol. Long strings of the body may be objects in place of texts.
   */
  refuses?(body: object, traits: Traits): boolean;
  /**
   * Edits of a body of the wire with members that a server of these traits spells otherwise or refuses: it is forwarded
   * with them. Losses have pointers into the body.
   */
  respell?(body: JsonObject, traits: Traits, lose: Lose): Edits;
  /** The traits of a server of this wire, unless more is known about it. Default: the newest behaviour. */
  defaults?: Traits;
  /** Every request of the wire has a limit of output tokens: one without is sent the most that its model gives. */
  needsLimit?: true;
  /** What writes schemas; absent in a half, until `withDialect` adds it. */
  dialect?: Dialect;
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
  /** Writing of requests. */
  request: {
    /** `dialect` writes schemas. Without it, a request with a schema throws a `TypeError`. */
    encode(request: TextRequest, lose: Lose, traits?: Traits, dialect?: Dialect): Wire;
  };
  /** Reading of replies. */
  reply: {
    /** Reads chunks; mistyped ones are read as far as they go. `end` of an unfinished reply gives a failure. */
    decode(): ReplyDecoder;
    /**
     * The facts of a unary body, as its events give them, read without making the events. `undefined` for bodies that
     * only `decode` reads. A codec can leave it out: it is for speed.
     */
    summary?(body: Json): Summary | undefined;
    /** A unary body as chunks, structure only. */
    burst(body: Json): Json[];
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
  /** Reading of errors. */
  failure: {
    /** The header that names the kind of an error, and the member of the body that `decode` reads it from. */
    header?: { name: string; member: string };
    decode(status: number, body: Json | undefined): Failure;
  };
}
