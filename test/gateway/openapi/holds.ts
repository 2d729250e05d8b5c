import type { Route } from "@manifold-gateway/gateway";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { z } from "zod";

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Expects a success that is as its row tells, and answers what it says: JSON, text, or nothing. */
export async function expectAsTold(route: Route, response: Response): Promise<unknown> {
  const text = await response.text();
  expect(route.statuses ?? [200], text).toContain(response.status);
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  if (route.method === "HEAD" || response.status === 303) {
    expect(text).toBe("");
    return undefined;
  }
  if (type !== "application/json" || !route.answer) {
    expect(Object.keys(route.also ?? {})).toContain(type);
    return text;
  }
  // As it goes out: a field that the schema does not name would be one that nobody is told of.
  const schema = z.toJSONSchema(route.answer, { io: "output", unrepresentable: "any" });
  const validate = ajv.compile(schema as object);
  const json: unknown = JSON.parse(text);
  validate(json);
  expect(validate.errors ?? [], text).toEqual([]);
  return json;
}
