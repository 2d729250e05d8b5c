import type { EmbedCodec } from "@manifold-gateway/core/operations";
import { embed } from "../embeddings/embed.ts";
import { operationServices } from "../generation/services.ts";
import { bodyLimits } from "../http/body.ts";
import { documented } from "../openapi/request-schemas.ts";
import { serveOperation } from "../operations/serve.ts";
import { defineRoute, type Route } from "../route.ts";
import { operationHead } from "./heads.ts";
import { embeddingList } from "./shapes/replies.ts";

/** The route for embeddings on the two surfaces that name the model in the body. `wireName` is its schema's name. */
export const embeddingsRoute = (codec: EmbedCodec, wireName: string): Route =>
  defineRoute({
    method: "POST",
    path: "/v1/embeddings",
    access: "key",
    summary: "Create embeddings",
    body: operationHead,
    wire: documented(codec.request.schema, wireName),
    limits: bodyLimits,
    generates: true,
    explains: true,
    batched: true,
    answer: embeddingList,
    examples: { two: { body: { model: "sim-embedding", input: ["one", "two"] } } },
    uses: operationServices,
    handler: (context, { body: { model }, json }) =>
      serveOperation(context, embed, { codec, body: json, model }),
  });
