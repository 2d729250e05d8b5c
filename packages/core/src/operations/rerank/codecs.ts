import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import type { OperationWires } from "../endpoint.ts";
import type { RerankCodec } from "./codec.ts";
import * as reply from "./reply.ts";
import { decode, encodeFor, facts, protocol, type RequestDialect, schema } from "./request.ts";

/** Where one wire of providers differs from the others. */
interface Dialect extends RequestDialect, Pick<RerankCodec, "most"> {}

const codecOf = ({ most, ...dialect }: Dialect): RerankCodec => ({
  protocol,
  endpoint: () => "/rerank",
  ...(most !== undefined && { most }),
  // Documents are only read, whatever their members are called.
  unfetched: defineUnfetched(["query"], ["documents"]),
  facts,
  request: { schema, decode, encode: encodeFor(dialect) },
  reply: { decode: reply.decode, encode: reply.encode },
});

/** The wire that most hosts and the own clients of their servers have in common: billed by the token. */
export const rerankstyle = codecOf({
  limit: "top_n",
  chunks: "max_chunks_per_doc",
  always: { return_documents: false },
});

/** The same for callers of version 2, whose clients expect documents only where a request names them. */
export const rerankstyle2: RerankCodec = {
  ...rerankstyle,
  request: {
    ...rerankstyle.request,
    decode: ({ return_documents, ...wire }, trace) =>
      rerankstyle.request.decode({ ...wire, return_documents: return_documents ?? false }, trace),
  },
};

const listed = codecOf({ texts: "texts", limit: "top_n", always: { truncate: true } });
/**
 * Servers of one model that answer with a list of all scores, and ignore what they do not know. They refuse texts that are
 * too long, unless they may cut them.
 */
const liststyle: RerankCodec = {
  ...listed,
  request: {
    ...listed.request,
    decode: ({ texts, truncate: _, ...wire }, trace) =>
      listed.request.decode({ ...wire, documents: texts ?? [] }, trace),
  },
};

/** The wires that providers rerank on. */
export const rerankWires = {
  rerankstyle,
  /** Billed by search units; documents are texts, and can be cut off. */
  searchstyle: codecOf({ most: 10_000, limit: "top_n", tokens: "max_tokens_per_doc" }),
  /** The version before: documents may be objects, and are divided. */
  searchstyle1: codecOf({
    most: 10_000,
    limit: "top_n",
    objects: true,
    chunks: "max_chunks_per_doc",
    always: { return_documents: false },
  }),
  /** Servers of one's own that score pairs of texts: they return every document with its text, whatever is requested. */
  scorestyle: codecOf({ limit: "top_n" }),
  /** Results in `data`, limited by `top_k`. */
  topstyle: codecOf({ most: 1_000, limit: "top_k" }),
  liststyle,
} satisfies Record<string, RerankCodec>;

/** All wires of reranking. */
export const rerankOperation: OperationWires<RerankCodec> = {
  service: "rerank",
  protocols: { chatstyle: rerankstyle },
  services: rerankWires,
};
