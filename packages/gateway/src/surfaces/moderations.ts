import { outputModality } from "@manifold-gateway/core/capability";
import { chatstyleModeration } from "@manifold-gateway/core/operations";
import { activeModels } from "../catalog/model-listing.ts";
import { operationServices } from "../generation/services.ts";
import { bodyLimits } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import { moderate } from "../moderation/moderate.ts";
import { documented } from "../openapi/request-schemas.ts";
import { serveOperation } from "../operations/serve.ts";
import type { Catalog } from "../ports/catalog.ts";
import { defineRoute, type Route } from "../route.ts";
import { moderationHead } from "./heads.ts";
import { moderation } from "./shapes/replies.ts";

/** The model of a request that names none: the first of the catalog that judges contents. */
function usualModel(catalog: Catalog): string {
  const [first] = activeModels(catalog, (model) =>
    model.outputModalities.includes(outputModality.moderation),
  );
  if (first) return first.id;
  throw new Refusal("invalid_request", "model: is required, since no model of this service moderates.", {
    param: "model",
  });
}

/** The route for moderation on the chat-style surface. */
export const moderationRoute: Route = defineRoute({
  method: "POST",
  path: "/v1/moderations",
  access: "key",
  summary: "Judge texts and images by the categories of a model",
  about:
    "One verdict for a text, for each text of a list, or for all parts of a list of texts and images together. Without `model`, the first model of the catalog that moderates.",
  body: moderationHead,
  wire: documented(chatstyleModeration.request.schema, "ModerationWire"),
  limits: bodyLimits,
  generates: true,
  explains: true,
  answer: moderation,
  examples: {
    text: { body: { model: "sim-moderation", input: "I will call you tomorrow." } },
    parts: {
      body: {
        model: "sim-moderation",
        input: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: "https://files.example/cat.png" } },
        ],
      },
    },
  },
  uses: operationServices,
  handler: (context, { body, json }) => {
    const model = body.model ?? usualModel(context.services.catalog);
    return serveOperation(context, moderate, { codec: chatstyleModeration, body: json, model });
  },
});
