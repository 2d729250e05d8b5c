import {
  estimateRerank,
  mostRerank,
  planRerank,
  type RerankCodec,
  type RerankReply,
  type RerankRequest,
  type RerankUsage,
  rerankOperation,
  rerankShortfall,
  usageOfRerank,
} from "@manifold-gateway/core/operations";
import type { Operation, OperationAsk } from "../operations/operation.ts";
import { answerWhole } from "../operations/whole-reply.ts";
import type { Used } from "../ports/billing.ts";

type RerankUsed = Used & RerankUsage;

/** Reranking, as an operation. */
export const rerank: Operation<RerankRequest, RerankCodec, OperationAsk<RerankCodec>, never> = {
  wires: rerankOperation,
  makes: "rerank",
  modality: "ranking",
  observed: "rerank",
  plan: (_, source, target, options) => planRerank(source, target, options),
  estimate: ({ request }) => ({ ...estimateRerank(request), output: 0 }),
  most: mostRerank,
  reply: answerWhole<RerankRequest, RerankReply>({
    shortfall: rerankShortfall,
    usage: ({ usage }, request, price) => usage && usageOfRerank(usage, request, price),
    most: mostRerank,
    withUsage: (reply, { input, searchUnits }: RerankUsed) => ({
      ...reply,
      usage: { input, ...(searchUnits !== undefined && { searchUnits }) },
    }),
  }),
};
