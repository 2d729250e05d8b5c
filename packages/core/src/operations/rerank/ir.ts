import type { Extra } from "../../ir/part.ts";
import type { JsonObject } from "../../json/json.ts";

/** What is compared with the query. */
export interface RerankDocument {
  /** The text that is compared. */
  text: string;
  /** The object in which the caller sent it, with all its members. */
  fields?: JsonObject;
}

/** The canonical request to order documents by their relevance to a query. */
export interface RerankRequest {
  /** The model, by the caller's name for it. */
  model: string;
  /** What the documents should answer. */
  query: string;
  /** The documents. Results name them by their places in this list. */
  documents: RerankDocument[];
  /** The most results. Default: one for each document. */
  topN?: number;
  /** The members of documents that are compared, in order. Default: `text`. */
  rankFields?: string[];
  /** Tokens after which a document is cut off. */
  maxTokensPerDocument?: number;
  /** The most pieces into which a long document is divided. */
  maxChunksPerDocument?: number;
  /** The answer repeats the documents. This service does that itself: no provider is asked for it. */
  returnDocuments?: true;
  /** Members of the request that only its own protocol knows. */
  extra?: Extra;
}

/** What was used. A provider bills either unit, and reports at least that. */
export interface RerankUsage {
  /** Tokens, of which the query's count once for each document. */
  input?: number;
  /** Queries, each with up to 100 documents of ordinary length. */
  searchUnits?: number;
}

/** How well one document fits. */
export interface RerankResult {
  /** The document's place in the request, from 0; -1 where it could not be read. */
  index: number;
  /** Higher is better; the scale is the model's. */
  score: number;
}

/** The results, and what they used. */
export interface RerankReply {
  /** At most one result for each document. */
  results: RerankResult[];
  /** What was used, as far as the provider reported it. */
  usage?: RerankUsage;
  /** The model that answered, by the vendor's name. */
  model?: string;
}
