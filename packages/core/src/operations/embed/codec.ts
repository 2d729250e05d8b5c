import type { Trace } from "../../codec/caller-codec.ts";
import type { Unfetched } from "../../codec/fetched-addresses.ts";
import type { Lose } from "../../ir/loss.ts";
import type { MediaPart, Protocol } from "../../ir/part.ts";
import type { Json, JsonObject } from "../../json/json.ts";
import type { Validator } from "../../schema/validator.ts";
import type { EmbedReply, EmbedRequest } from "./ir.ts";

/** Facts about a wire's requests for shared code that does not know the wire. */
export interface EmbedFacts {
  /** Pointers to the length of the vectors, the usual one first. A request may have it in any of these places. */
  dimensions: readonly string[];
  /** Top-level members that are no parameters of the model. */
  others: readonly string[];
}

/**
 * Both directions between one wire's embeddings and the IR. Pure and total, with the laws
 *
 *     request.decode(request.encode(r))       = r    but for `encoding`, which upstream is never asked for,
 *                                                    `batch` where a wire has media in lists only,
 *                                                    and what a loss names
 *     reply.decode(reply.encode(reply, r))    = reply
 */
export interface EmbedCodec {
  /** The protocol that it belongs to. */
  protocol: Protocol;
  /** Path below a provider's base; absent where no provider speaks this wire. */
  endpoint?(request: EmbedRequest): string;
  /** The most inputs that one call to a provider takes. */
  most: number;
  /** The same for one request, where it depends on what is in it. */
  mostOf?(request: EmbedRequest): number;
  /** True if the wire has token ids. */
  tokens: boolean;
  /** The kinds of media that the wire takes as URLs; others have to be fetched before they are encoded. */
  urls: readonly MediaPart["kind"][];
  /** The places where an address in a request is only text. */
  unfetched: Unfetched;
  /** Facts for shared code. */
  facts: EmbedFacts;
  /** Reading and writing of requests. */
  request: {
    /** The requests that the surface of this wire takes. Loose: unknown fields pass. */
    schema: Validator<unknown>;
    /** `model` is a member of the wire's request, also where its clients write it into the path. */
    decode(wire: JsonObject, trace?: Trace): EmbedRequest;
    /** A loss below `/inputs` means that a vector would be of something else: a reason to refuse. */
    encode(request: EmbedRequest, lose: Lose): JsonObject;
  };
  /** Reading and writing of replies. */
  reply: {
    decode(body: Json): EmbedReply;
    /** Answers `request`, whose `model` is the name that the caller used. */
    encode(reply: EmbedReply, request: EmbedRequest): JsonObject;
  };
}
