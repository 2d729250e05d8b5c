import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Surface } from "../route.ts";
import { webhookBodies } from "../webhooks/events.ts";
import { operationOf, pathOf } from "./operation.ts";
import { createSchemas } from "./schemas.ts";
import { placesOf, securitySchemes } from "./security.ts";

const operationOfWebhook = (schema: JsonObject): JsonObject => ({
  summary: "Sent to the endpoints of `webhooks` in the configuration",
  requestBody: { required: true, content: { "application/json": { schema } } },
  responses: { "2XX": { description: "It was taken. Any other answer has it sent again." } },
});

/**
 * Creates the OpenAPI 3.1 document of surfaces, with an operation for each route. `root` is the path of the service on
 * its host.
 */
export function toOpenApi(surfaces: readonly Surface[], root = "/"): JsonObject {
  const schemas = createSchemas();
  const paths: Record<string, JsonObject> = {};
  for (const surface of surfaces)
    for (const route of surface.routes) {
      const path = pathOf(surface, route);
      const method = route.method.toLowerCase();
      paths[path] ??= {};
      const item = paths[path];
      if (item[method]) throw new Error(`two routes are documented as ${route.method} ${path}`);
      item[method] = operationOf(surface, route, schemas);
    }
  return {
    openapi: "3.1.1",
    info: {
      title: "Manifold",
      version: "0.1.0",
      description:
        "One generation backend behind drop-in API surfaces. Every model can be called on every surface that has its operation.",
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: root }],
    tags: surfaces.map(({ name, about }) => ({ name, description: about })),
    paths,
    webhooks: Object.fromEntries(
      Object.entries(webhookBodies).map(([type, body]) => [
        type,
        { post: operationOfWebhook(schemas.of(body)) },
      ]),
    ),
    components: {
      schemas: schemas.components,
      securitySchemes: Object.assign({}, securitySchemes, ...surfaces.map(placesOf)) as JsonObject,
    },
  };
}
