import { validate } from "@manifold-gateway/core/codec";
import type { z } from "zod";
import { smallBody } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import { issuesOf } from "../http/schema-issues.ts";
import type { Flight } from "../ports/bounds.ts";
import { BodyReader } from "./body-reader.ts";
import type { Admitted, Received } from "./stages.ts";

/** Validates a value by a schema. Throws a 400 that names the field, and the model if the value has one. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = validate(schema, value);
  if (parsed.success) return parsed.data;
  const named = (value as { model?: unknown }).model;
  const errors = issuesOf(parsed.error, typeof named === "string" ? named : undefined, schema);
  throw new Refusal("invalid_request", errors, { param: String(parsed.error.issues[0]?.path[0] ?? "body") });
}

/** Reads a request by the schemas of its route. Throws a 400 if it does not match. */
export async function readInput(admitted: Admitted, flight: Flight | undefined): Promise<Received["input"]> {
  const { exchange, route, params } = admitted;
  const { params: segments, query, body } = route;
  const input: Received["input"] = { params, query: {}, body: undefined, json: undefined };
  if (segments) input.params = parse(segments, params);
  if (query) {
    const pairs = Object.keys(query.shape).map((name) => [name, exchange.query(name)]);
    input.query = parse(query, Object.fromEntries(pairs));
  }
  if (body) {
    input.json = await new BodyReader(admitted, route.limits ?? smallBody, flight).read(route);
    input.body = parse(body, input.json.value);
  }
  return input;
}
