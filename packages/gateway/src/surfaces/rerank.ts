import { type RerankCodec, rerankstyle, rerankstyle2 } from "@manifold-gateway/core/operations";
import { operationServices } from "../generation/services.ts";
import { bodyLimits } from "../http/body.ts";
import { documented } from "../openapi/request-schemas.ts";
import { serveOperation } from "../operations/serve.ts";
import { rerank } from "../rerank/rerank.ts";
import { defineRoute, type Route } from "../route.ts";
import { operationHead } from "./heads.ts";
import { ranking } from "./shapes/replies.ts";

const wire = documented(rerankstyle.request.schema, "RerankWire");

/** Clients of each version send the same members, and read the same answer; the default of one member differs. */
const rerankRoute = (version: "v1" | "v2", codec: RerankCodec): Route =>
  defineRoute({
    method: "POST",
    path: `/${version}/rerank`,
    access: "key",
    summary: "Order documents by their relevance to a query",
    about:
      "Documents are texts, or objects with `text` or the members that `rank_fields` names. The answer has the best `top_n` results, and with `return_documents` the documents.",
    body: operationHead,
    wire,
    limits: bodyLimits,
    generates: true,
    explains: true,
    answer: ranking,
    examples: {
      two: {
        body: {
          model: "sim-rerank",
          query: "Where do llamas live?",
          documents: ["Llamas live in the Andes.", "Pandas live in China."],
          top_n: 1,
        },
      },
    },
    uses: operationServices,
    handler: (context, { body: { model }, json }) =>
      serveOperation(context, rerank, { codec, body: json, model }),
  });

/** The routes for reranking on the chat-style surface. */
export const rerankRoutes: readonly Route[] = [
  rerankRoute("v1", rerankstyle),
  rerankRoute("v2", rerankstyle2),
];
