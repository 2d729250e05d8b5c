// Rankings by the wires of their providers, without the media of /operations, whose schemas load zod.

export {
  estimateRerank,
  mostRerank,
  planRerank,
  type RerankCodec,
  type RerankDocument,
  type RerankReply,
  type RerankRequest,
  type RerankResult,
  type RerankUsage,
  rerankOperation,
  rerankShortfall,
  rerankstyle,
  rerankstyle2,
  rerankWires,
  usageOfRerank,
} from "./operations/rerank/index.ts";
