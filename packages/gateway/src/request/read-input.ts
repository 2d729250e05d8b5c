import { validate } from "@manifold-gateway/core/codec";
import type { z } from "zod";
import { smallBody } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import { issuesOf } from "../http/schema-issues.ts";
import { BodyReader } from "./body-reader.ts";
import type { RunningRequest } from "./running-request.ts";

/** Validates a value by a schema. Throws a 400 that names the field, and the model if the value has one. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = validate(schema, value);
  if (parsed.success) return parsed.data;
  const named = (value as { model?: unknown }).model;
  const errors = issuesOf(parsed.error, typeof named === "string" ? named : undefined, schema);
  throw new Refusal("invalid_request", errors, { param: String(parsed.error.issues[0]?.path[0] ?? "body") });
}

/**
 * Reads a request by the schemas of its route. Throws a 400 if it does not match. Returns a promise only for a body.
 */
export function readInput(request: RunningRequest): Promise<void> | undefined {
  const { exchange, route, params, input } = request;
  const { params: segments, query, body } = route;
  if (segments) input.params = parse(segments, params);
  if (query) {
    const pairs = Object.keys(query.shape).map((name) => [name, exchange.query(name)]);
    input.query = parse(query, Object.fromEntries(pairs));
  }
  return body && readBody(request, body);
}

async function readBody(request: RunningRequest, schema: z.ZodType): Promise<void> {
  const { route, input, flight } = request;
  input.json = await new BodyReader(request, route.limits ?? smallBody, flight).read(route);
  input.body = parse(schema, input.json.value);
}
