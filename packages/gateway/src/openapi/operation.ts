import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { z } from "zod";
import type { Example, Route, Surface } from "../route.ts";
import { explanation } from "./explanation.ts";
import { failuresOf } from "./failures.ts";
import { requestHeaders, responseHeaders } from "./headers.ts";
import type { Schemas } from "./schemas.ts";
import { securityOf } from "./security.ts";

/** The path of a route in OpenAPI's notation. */
export const pathOf = (surface: Surface, route: Route): string =>
  (surface.prefix + (route.shown ?? route.path)).replace(/\/(?:\*\*)?:(\w+)/g, "/{$1}") || "/";

/** Converts a route to an operation. */
export function operationOf(surface: Surface, route: Route, schemas: Schemas): JsonObject {
  const path = pathOf(surface, route);
  return {
    operationId:
      `${surface.name}_${route.method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "_")}`.replace(/_$/, ""),
    tags: [surface.name],
    summary: route.summary,
    ...(route.about !== undefined && { description: route.about }),
    security: securityOf(surface, route),
    parameters: [...parametersOf(path, route, schemas), ...headersOf(route)],
    ...(route.body && {
      requestBody: { required: true, content: contentOf(route, schemas) },
    }),
    responses: { ...successesOf(route, schemas), ...failuresOf(surface, route, schemas) },
  };
}

/** The headers that a route reads. Those of a batch are for each of its lines. */
const headersOf = ({ generates, begins, explains, uses }: Route): JsonObject[] => [
  ...requestHeaders.all,
  ...(generates || begins !== undefined ? [...requestHeaders.once, ...requestHeaders.generation] : []),
  ...(begins !== undefined || uses?.includes("answers") ? requestHeaders.cache : []),
  ...(begins !== undefined ? requestHeaders.batch : []),
  ...(explains ? requestHeaders.explanation : []),
];

function parametersOf(path: string, route: Route, schemas: Schemas): JsonObject[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const segments: z.ZodRawShape = route.params?.shape ?? {};
  return [
    ...names.map((name) => ({
      name,
      in: "path",
      required: true,
      ...parameterSchema(schemas.of((segments[name] as z.ZodType | undefined) ?? z.string())),
      ...examplesOf(route, ({ params }) => params?.[name]),
    })),
    ...Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: "query",
      required: false,
      ...parameterSchema(schemas.of(schema as z.ZodType)),
      ...examplesOf(route, ({ query }) => query?.[name]),
    })),
  ];
}

/** A parameter's schema, with its description moved beside it. */
const parameterSchema = ({ description, ...schema }: JsonObject): JsonObject => ({
  schema,
  ...(description !== undefined && { description }),
});

/** The file of a form, beside its fields. */
const uploaded: JsonObject = {
  type: "object",
  properties: { file: { type: "string", format: "binary" } },
  required: ["file"],
};

/** The content types of a request body. */
function contentOf(route: Route, schemas: Schemas): JsonObject {
  const body = bodyOf(route, schemas);
  const { schema = {} } = body;
  const form = route.upload ? { allOf: [schema, uploaded] } : schema;
  return {
    ...(route.upload !== "only" && { "application/json": body }),
    ...((route.form || route.upload) && { "multipart/form-data": { schema: form } }),
  };
}

/** The schema of a body. If the body must be translated, it includes the protocol's schema. */
function bodyOf(route: Route, schemas: Schemas): JsonObject {
  const bodySchema = schemas.of(route.body as z.ZodType);
  const schema = route.wire ? { allOf: [bodySchema, schemas.of(route.wire)] } : bodySchema;
  return { schema, ...examplesOf(route, ({ body }) => body) };
}

function successesOf(route: Route, schemas: Schemas): JsonObject {
  const { statuses = [200], answer, also = {}, generates, explains } = route;
  const content: JsonObject = {};
  // An explanation is a 200, whatever status the explained request would get.
  const isSeparate = explains && !statuses.includes(200);
  const bodies = [...(answer ? [answer] : []), ...(explains && !isSeparate ? [explanation] : [])].map((one) =>
    schemas.of(one),
  );
  const [only, other] = bodies;
  if (only)
    content["application/json"] = {
      schema: other ? { anyOf: [only, other] } : only,
      ...examplesOf(route, (one) => one.answer),
    };
  for (const [type, schema] of Object.entries(also)) content[type] = { schema: schemas.of(schema) };
  const response = {
    description: route.summary,
    headers: { ...responseHeaders.all, ...(generates && responseHeaders.generation) },
    ...(Object.keys(content).length > 0 && { content }),
  };
  return {
    ...(isSeparate && {
      200: {
        description: "The explanation that `x-explain` asks for",
        headers: { ...responseHeaders.all },
        content: { "application/json": { schema: schemas.of(explanation) } },
      },
    }),
    ...Object.fromEntries(statuses.map((status) => [status, response])),
  };
}

/** One part of all examples, by name. */
function examplesOf(route: Route, part: (example: Example) => unknown): JsonObject {
  const rows = Object.entries(route.examples ?? {}).flatMap(([name, example]) => {
    const value = part(example) as Json | undefined;
    return value === undefined ? [] : [[name.replaceAll(" ", "-"), { value }] as const];
  });
  return rows.length > 0 ? { examples: Object.fromEntries(rows) } : {};
}
