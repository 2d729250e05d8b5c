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
} from "@manifold-gateway/core/operations";
import type { Price } from "@manifold-gateway/store";
import type { Operation, OperationAsk, Used } from "../operations/operation.ts";
import { answerWhole } from "../operations/whole-reply.ts";

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
    usage: ({ usage }, request, price) => usage && withPriced(usage, request, price),
    most: mostRerank,
    withUsage: (reply, { input, searchUnits }: RerankUsed) => ({
      ...reply,
      usage: { input, ...(searchUnits !== undefined && { searchUnits }) },
    }),
  }),
};

/** The reported usage, with an estimate for what has a price and was not reported: it is not free. */
function withPriced(usage: RerankUsage, request: RerankRequest, price: Price): RerankUsed {
  const { estimated, ...estimate } = estimateRerank(request);
  const missing = (["input", "searchUnits"] as const).filter(
    (unit) => price[unit] !== undefined && usage[unit] === undefined,
  );
  return {
    input: 0,
    output: 0,
    ...Object.fromEntries(missing.map((unit) => [unit, estimate[unit]])),
    ...usage,
    ...(missing.length > 0 && { estimated }),
  };
}
