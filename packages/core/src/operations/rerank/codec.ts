import type { OperationCodec } from "../codec.ts";
import type { RerankReply, RerankRequest } from "./ir.ts";

/**
 * Both directions between one wire's reranking and the IR, with the laws of all operations. Beside what a loss names,
 * a request keeps neither `returnDocuments` nor the members of documents beside those that are compared: what is
 * returned of documents is taken from the caller's request. The results of a reply are in order, and no more than
 * requested.
 */
export interface RerankCodec extends OperationCodec<RerankRequest, RerankReply> {
  /** The most documents that one call to a provider takes; absent if none is documented. */
  most?: number;
}
