import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { seal, unseal } from "../../packages/simulator/src/content/digest.ts";
import { pieces } from "../../packages/simulator/src/model/pieces.ts";
import { sample } from "../../packages/simulator/src/model/sample.ts";
import { plainText, readDirectives } from "../../packages/simulator/src/script/directives.ts";

const scalar = fc.oneof(
  fc.record({ type: fc.constant("string"), minLength: fc.nat(12) }, { requiredKeys: ["type"] }),
  fc.record({ type: fc.constant("string"), maxLength: fc.integer({ min: 1, max: 5 }) }),
  fc.constantFrom("email", "uuid", "date-time", "date").map((format) => ({ type: "string", format })),
  fc.record(
    {
      type: fc.constantFrom("integer", "number"),
      minimum: fc.integer({ min: -50, max: 0 }),
      maximum: fc.nat(50),
    },
    { requiredKeys: ["type"] },
  ),
  fc.integer({ min: -9, max: 9 }).map((exclusiveMinimum) => ({ type: "integer", exclusiveMinimum })),
  fc.constant({ type: "boolean" }),
  fc.constant({ type: "null" }),
  fc.array(fc.string(), { minLength: 1, maxLength: 4 }).map((list) => ({ enum: list })),
  fc.string().map((value) => ({ const: value })),
);

const { schema: schemas } = fc.letrec((tie) => ({
  schema: fc.oneof({ maxDepth: 3 }, scalar, tie("object"), tie("array"), tie("union")),
  object: fc
    .tuple(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie("schema"), { maxKeys: 4 }), fc.boolean())
    .map(([properties, all]) => ({
      type: "object",
      properties,
      required: all ? Object.keys(properties) : [],
      additionalProperties: false,
    })),
  array: fc.tuple(tie("schema"), fc.nat(3)).map(([items, minItems]) => ({ type: "array", items, minItems })),
  union: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
}));

test("a sample satisfies its schema, sparing or generous", () => {
  fc.assert(
    fc.property(schemas, fc.boolean(), (schema, generous) => {
      const value = sample(schema as Record<string, unknown>, { generous });
      const judged = z.fromJSONSchema(schema as never).safeParse(value);
      expect(judged.error?.issues ?? []).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("a sample of a schema that refers to itself ends", () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: [] };
  const value = sample({ $ref: "#/$defs/node", $defs: { node } }, { generous: true });
  expect(JSON.stringify(value)).toMatch(/^(\{"next":)+\{\}\}+$/);
});

test("the proto dialect's types are understood in capitals", () => {
  const schema = {
    type: "OBJECT",
    properties: { n: { type: "INTEGER" }, l: { type: "ARRAY", items: { type: "STRING" } } },
  };
  expect(sample(schema, { generous: true })).toEqual({ n: 1, l: ["sample l"] });
});

test("pieces join to the text, and none breaks a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (text) => {
      const cut = pieces(text);
      expect(cut.join("")).toBe(text);
      expect(cut.every((piece) => Buffer.from(piece).toString() === piece)).toBe(true);
    }),
  );
});

test("a directive holds any JSON, brackets and all, and leaves the rest of the text", () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      fc.pre(!json.includes("]]") || JSON.parse(json) !== null);
      const text = `before [[json:${json}]] after`;
      expect(readDirectives(text).json).toBe(json);
      expect(plainText(text)).toBe("before after");
    }),
  );
});

test("a seal opens for its own kind and in one piece only", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (payload, at) => {
      const value = seal("a", payload);
      expect(unseal("a", value)).toBe(payload);
      expect(unseal("b", value)).toBeUndefined();
      const index = at % value.length;
      const altered = value.slice(0, index) + (value[index] === "A" ? "B" : "A") + value.slice(index + 1);
      expect(unseal("a", altered)).toBeUndefined();
    }),
  );
});
