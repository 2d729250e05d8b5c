import type { MediaPart } from "../../ir/part.ts";
import type { JsonObject } from "../../json/json.ts";
import type { OperationCodec } from "../codec.ts";
import type { EmbedReply, EmbedRequest } from "./ir.ts";

/**
 * Both directions between one wire's embeddings and the IR, with the laws of all operations. Beside what a loss names,
 * a request keeps neither `encoding`, which upstream is never asked for, nor `batch` where a wire has media in lists
 * only. A loss below `/inputs` means that a vector would be of something else: a reason to refuse.
 */
export interface EmbedCodec extends OperationCodec<EmbedRequest, EmbedReply, JsonObject> {
  /** The most inputs that one call to a provider takes. */
  most: number;
  /** The same for one request, where it depends on what is in it. */
  mostOf?(request: EmbedRequest): number;
  /** True if the wire has token ids. */
  tokens: boolean;
  /** The kinds of media that the wire takes as URLs; others have to be fetched before they are encoded. */
  urls: readonly MediaPart["kind"][];
}
