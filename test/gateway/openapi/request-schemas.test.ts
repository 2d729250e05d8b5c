import { paramShape } from "@manifold-gateway/core/codec";
import { array, nullish, object, string, type Validator, validator } from "@manifold-gateway/core/schema";
import { expect, test } from "vitest";
import * as z from "zod";
import { documented } from "../../../packages/gateway/src/openapi/request-schemas.ts";
import { createSchemas } from "../../../packages/gateway/src/openapi/schemas.ts";

const table = [{ name: "temperature", wire: "heat" }] as const;
const node = object({ model: string({ min: 1 }), turns: nullish(array(string())), ...paramShape(table) });
const zod = z.looseObject({
  model: z.string().min(1),
  turns: z.array(z.string()).nullish(),
  heat: z.number().nullish(),
});

/** The component that a document has of a schema. */
function componentOf(schema: Validator<unknown>): unknown {
  const schemas = createSchemas();
  expect(schemas.of(documented(schema, "Wire"))).toEqual({ $ref: "#/components/schemas/Wire" });
  return schemas.components.Wire;
}

test("a codec's requests are documented alike by a schema of data and by one of zod", () => {
  expect(componentOf(validator(node))).toEqual(componentOf(zod));
  expect(componentOf(zod)).toMatchObject({ required: ["model"], properties: { heat: expect.anything() } });
});

test("a codec's requests are objects where its schema cannot be read", () => {
  const { parse, safeParse } = validator(node);
  expect(componentOf({ parse, safeParse })).toMatchObject({ type: "object", properties: {} });
});
