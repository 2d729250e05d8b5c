import {
  planRerank,
  type RerankCodec,
  type RerankReply,
  type RerankRequest,
  rerankOperation,
  rerankShortfall,
  rerankstyle,
  usageOfRerank,
} from "@manifold-gateway/core/rerank";
import { serveOperation } from "./serve.ts";

/** Orders documents by their relevance to a query. */
export const rerankDocuments = serveOperation<RerankRequest, RerankReply, RerankCodec>({
  noun: "rankings",
  wires: rerankOperation,
  callerCodec: ({ rerankCodec }) => rerankCodec ?? rerankstyle,
  plan: planRerank,
  shortfall: rerankShortfall,
  usage: ({ usage = {} }, request, price) => usageOfRerank(usage, request, price),
});
