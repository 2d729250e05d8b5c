import {
  type Operation,
  operations,
  outputModality,
  schemaTypes,
  toJsonSchema,
  toTypes,
} from "@manifold-gateway/core/capability";
import { speechJsonSchema } from "@manifold-gateway/core/operations";
import { z } from "zod";
import { defaultEntry } from "../catalog/catalog.ts";
import { findModel } from "../catalog/model-listing.ts";
import type { Model } from "../ports/catalog.ts";
import { defineRoute, type Route } from "../route.ts";

const query = z.object({
  operation: z
    .enum(operations)
    .optional()
    .describe("The operation. Default: that of its first output modality."),
  as: z.enum(["json-schema", "typescript"]).default("json-schema"),
});

/** The operation that makes a model's first output modality. */
function operationOf({ outputModalities }: Model): Operation {
  const made = outputModalities.map((modality) =>
    operations.find((operation) => outputModality[operation] === modality),
  );
  return made.find((operation) => operation !== undefined) ?? "text";
}

/** The type name of a model's parameters: `acme/video-2` becomes `AcmeVideo2Params`. */
function nameOf(id: string): string {
  const words = id.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return `${/^[A-Za-z]/.test(name) ? "" : "Model"}${name}Params`;
}

/**
 * Routes for the capabilities of one model, for forms and editors, from the data that requests are checked against.
 */
export const modelSchemaRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/ai/schemas/**:modelId",
    access: "caller",
    summary: "Get the capabilities of a model as JSON Schema or TypeScript",
    about:
      "The schema of a native request's parameters and content, generated from the capabilities that requests are checked against. A model without capabilities accepts anything; a model of speech what its route does, with its own voices.",
    query,
    answer: z.looseObject({ type: z.literal("object"), properties: z.record(z.string(), z.unknown()) }),
    also: { "text/plain": z.string() },
    examples: {
      form: { params: { modelId: "sim-chat" } },
      types: { params: { modelId: "sim-chat" }, query: { as: "typescript" } },
    },
    uses: ["catalog", "media"],
    handler: ({ services, params }, { query: { operation, as } }) => {
      const model = findModel(services.catalog, params.modelId ?? "");
      const capabilities = defaultEntry(model)?.capabilities;
      const selected = operation ?? operationOf(model);
      const schema =
        selected === "speech"
          ? speechJsonSchema(model.id, capabilities, services.media?.voices ?? [])
          : toJsonSchema(capabilities, selected);
      if (as === "json-schema") return { body: { title: model.id, ...schema } };
      const name = nameOf(model.id);
      return {
        headers: { "content-type": "text/plain; charset=utf-8" },
        body: selected === "speech" ? schemaTypes(schema, name) : toTypes(capabilities, selected, name),
      };
    },
  }),
];
