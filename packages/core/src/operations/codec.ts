import type { Trace } from "../codec/caller-codec.ts";
import type { Unfetched } from "../codec/fetched-addresses.ts";
import type { Lose } from "../ir/loss.ts";
import type { Protocol } from "../ir/part.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Validator } from "../schema/validator.ts";

/** Facts about a wire's requests for shared code that does not know the wire. */
export interface OperationFacts {
  /**
   * Pointers to each parameter of the canonical request, the usual one first. A request may have it in any of these
   * places.
   */
  params: Readonly<Record<string, readonly string[]>>;
  /** Top-level members that are no parameters of the model. */
  others: readonly string[];
}

/** The canonical request of any operation. */
export interface OperationRequest {
  /** The model's name. */
  model: string;
}

/**
 * Both directions between one wire of an operation and the operation's canonical form. Pure and total, with the laws
 *
 *     request.decode(request.encode(r))       = r    but for what a loss names
 *     reply.decode(reply.encode(reply, r))    = reply
 */
export interface OperationCodec<
  Request extends OperationRequest,
  Reply,
  /** The body of an answer; text where the wire has answers that are no JSON. */
  Answer extends JsonObject | string = JsonObject | string,
> {
  /** The protocol that the wire belongs to: its errors are of that form. */
  protocol: Protocol;
  /** Path below a provider's base; absent where no provider speaks this wire. */
  endpoint?(request: Request): string;
  /** The places where an address in a request is only text. */
  unfetched: Unfetched;
  /** Facts for shared code. */
  facts: OperationFacts;
  /** Reading and writing of requests. */
  request: {
    /** The requests that the surface of this wire takes. Loose: unknown fields pass. */
    schema: Validator<unknown>;
    /** `model` is a member of the wire's request, also where its clients write it into the path. */
    decode(wire: JsonObject, trace?: Trace): Request;
    encode(request: Request, lose: Lose): JsonObject;
  };
  /** Reading and writing of replies. */
  reply: {
    decode(body: Json): Reply;
    /** Answers `request`, whose `model` is the name that the caller used. */
    encode(reply: Reply, request: Request): Answer;
  };
}

/** A rule that a request violates. The message names the field and the model. */
export interface OperationIssue {
  /** JSON pointer into the caller's request where its origins are known, else into the canonical one. */
  path: string;
  message: string;
}
