import { validate } from "@manifold-gateway/core/codec";
import type { z } from "zod";
import { type BodyReading, readJson, requireJsonType, smallBody } from "../http/body.ts";
import type { Exchange } from "../http/exchange.ts";
import { isForm, readForm } from "../http/form.ts";
import { Refusal } from "../http/refusal.ts";
import { issuesOf } from "../http/schema-issues.ts";
import type { Route } from "../route.ts";
import type { Received } from "./stages.ts";

/** Validates a value by a schema. Throws a 400 that names the field, and the model if the value has one. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = validate(schema, value);
  if (parsed.success) return parsed.data;
  const named = (value as { model?: unknown }).model;
  const errors = issuesOf(parsed.error, typeof named === "string" ? named : undefined, schema);
  throw new Refusal("invalid_request", errors, { param: String(parsed.error.issues[0]?.path[0] ?? "body") });
}

/** Reads a request by the schemas of its route. Throws a 400 if it does not match. */
export async function readInput(
  exchange: Exchange,
  route: Route,
  params: Record<string, string>,
  reading?: BodyReading,
): Promise<Received["input"]> {
  const { params: segments, query, body } = route;
  const input: Received["input"] = { params, query: {}, body: undefined, json: undefined };
  if (segments) input.params = parse(segments, params);
  if (query) {
    const pairs = Object.keys(query.shape).map((name) => [name, exchange.query(name)]);
    input.query = parse(query, Object.fromEntries(pairs));
  }
  if (body) {
    if (route.strictType) requireJsonType(exchange);
    const limits = route.limits ?? smallBody;
    input.json = await (route.form && isForm(exchange)
      ? readForm(exchange, limits, reading)
      : readJson(exchange, limits, reading));
    input.body = parse(body, input.json.value);
  }
  return input;
}
