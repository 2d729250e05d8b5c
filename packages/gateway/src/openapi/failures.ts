import { native } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { z } from "zod";
import { envelope, Refusal } from "../http/refusal.ts";
import type { Route, Surface } from "../route.ts";
import { responseHeaders } from "./headers.ts";
import type { Schemas } from "./schemas.ts";

const refused = z
  .object({
    errors: z.array(z.string()).min(1),
    status: z.int(),
    success: z.literal(false),
    path: z.string().describe("Without the query."),
    timestamp: z.int().describe("Milliseconds since the epoch."),
    code: z.string().describe("A stable code for the reason; docs/errors.md lists all of them."),
    fields: z
      .array(
        z.object({
          path: z
            .array(z.union([z.string(), z.int()]))
            .describe(
              "The names and indexes that lead to it in the body, the query or the path; empty: the body.",
            ),
          text: z.string().describe("What is wrong with it, and what is allowed."),
        }),
      )
      .optional()
      .describe("The faulty fields. Not on compatibility surfaces, whose error objects name one."),
  })
  .meta({
    id: "Envelope",
    description: "The shape of all errors of the service itself, on every surface.",
  });

const AT = Date.UTC(2026, 0, 1);

/** The format of a surface's errors: the envelope, and the protocol's own error object. */
function failureOf(surface: Surface, route: Route, schemas: Schemas): JsonObject {
  const envelopeSchema = schemas.of(refused);
  // The native interface has the envelope alone for its own refusals, and the protocol's object alone for a provider's.
  const codec = surface.codec ?? (route.generates ? native : undefined);
  if (!codec) return envelopeSchema;
  const members = Object.keys(codec.failure.encode(sample).body).map((name) => [
    name,
    surface.codec ? z.unknown() : z.unknown().optional(),
  ]);
  const shape = z.looseObject({ ...refused.partial().shape, ...Object.fromEntries(members) }).meta({
    id: `Refusal_${surface.name}`,
    description:
      "The protocol's own error object. If the service itself refuses, it also has the members of the envelope.",
  });
  return schemas.of(shape);
}

const sample = { kind: "invalid", status: 400, message: "model: is missing: it must be text" } as const;

/** The error answers of a route, by status. */
export function failuresOf(surface: Surface, route: Route, schemas: Schemas): JsonObject {
  const schema = failureOf(surface, route, schemas);
  const answer = (description: string, refusal?: Refusal): JsonObject => ({
    description,
    headers: { ...responseHeaders.all, ...responseHeaders.error },
    content: {
      "application/json": {
        schema,
        ...(refusal && { example: envelope(refusal, surface.prefix + route.path, AT, surface.codec) }),
      },
    },
  });
  return {
    ...((route.body || route.query || route.params) && {
      400: answer(
        "Something in the request is not accepted; the error names it.",
        new Refusal("invalid_request", sample.message, { param: "model" }),
      ),
    }),
    ...(route.access !== "open" && { 401: answer("The credential is missing or not valid.") }),
    ...(route.opens && {
      426: answer("The request is not a WebSocket handshake, or WebSockets are turned off."),
    }),
    default: answer(
      route.generates
        ? "Refused by the service, or by the provider: then with the provider's own status and error object, or in this protocol's shape if the provider speaks another."
        : "Refused, or failed.",
    ),
  };
}
