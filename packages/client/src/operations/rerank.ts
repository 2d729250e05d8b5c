import {
  estimateRerank,
  planRerank,
  type RerankCodec,
  type RerankReply,
  type RerankRequest,
  rerankOperation,
  rerankShortfall,
  rerankstyle,
} from "@manifold-gateway/core/rerank";
import { serveOperation } from "./serve.ts";

/** The units by which rankings are billed. */
const units = ["input", "searchUnits"] as const;

/** Orders documents by their relevance to a query. */
export const rerankDocuments = serveOperation<RerankRequest, RerankReply, RerankCodec>({
  noun: "rankings",
  wires: rerankOperation,
  callerCodec: ({ rerankCodec }) => rerankCodec ?? rerankstyle,
  plan: planRerank,
  shortfall: rerankShortfall,
  usage({ usage = {} }, request, price) {
    const { estimated, ...estimate } = estimateRerank(request);
    const isReported = Object.keys(usage).length > 0;
    // What has a price and is not reported is not free.
    const missing = units.filter(
      (unit) => usage[unit] === undefined && (price ? price[unit] !== undefined : !isReported),
    );
    return {
      input: 0,
      output: 0,
      ...Object.fromEntries(missing.map((unit) => [unit, estimate[unit]])),
      ...usage,
      ...(missing.length > 0 && { estimated }),
    };
  },
});
