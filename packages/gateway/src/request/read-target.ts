import { validate } from "@manifold-gateway/core/codec";
import { plainWords } from "@manifold-gateway/core/schema";
import type { z } from "zod";
import { refuseFields } from "../http/schema-issues.ts";
import type { RunningRequest } from "./running-request.ts";

/** Validates a value by a schema. Throws a 400 that names the field, and the model if the value has one. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = validate(schema, value, plainWords);
  if (parsed.success) return parsed.data;
  const named = (value as { model?: unknown }).model;
  throw refuseFields(parsed.error, schema, { model: typeof named === "string" ? named : undefined });
}

/** Reads the path and the query of a request by the schemas of its route. Throws a 400 if they do not match. */
export function readTarget({ exchange, route, params, input }: RunningRequest): void {
  const { params: segments, query } = route;
  if (segments) input.params = parse(segments, params);
  if (query) {
    const pairs = Object.keys(query.shape).map((name) => [name, exchange.query(name)]);
    input.query = parse(query, Object.fromEntries(pairs));
  }
}
