import type { Loss } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromProtoSchema } from "../../../packages/core/src/dialect/from-proto-schema.ts";
import { toProtoSchema } from "../../../packages/core/src/dialect/to-proto-schema.ts";
import { collectLosses, ignoreLosses } from "../../../packages/core/src/ir/loss.ts";

const proto = (schema: Json): Json => toProtoSchema(schema, ignoreLosses, "/schema");
const lossesOf = (schema: Json): Loss[] => {
  const { losses, lose } = collectLosses();
  toProtoSchema(schema, lose, "/schema");
  return losses;
};
const object = (properties: Json, more = {}): Json => ({ type: "object", properties, ...more });

/** Every keyword that servers of the dialect know. */
const known = new Set(
  "type format title description nullable enum items minItems maxItems properties required minProperties maxProperties minLength maxLength pattern minimum maximum anyOf default example propertyOrdering".split(
    " ",
  ),
);

describe("a JSON Schema in the smaller dialect", () => {
  test.each<[string, Json, Json]>([
    ["types in upper case", { type: "string" }, { type: "STRING" }],
    ["a union with null", { type: ["string", "null"] }, { type: "STRING", nullable: true }],
    [
      "a union of types, each with its own keywords",
      { type: ["string", "number", "null"], minLength: 1, minimum: 2, description: "d" },
      {
        anyOf: [
          { type: "STRING", minLength: 1 },
          { type: "NUMBER", minimum: 2 },
        ],
        description: "d",
        nullable: true,
      },
    ],
    [
      "a branch of null and one other",
      { anyOf: [{ type: "string", pattern: "^a" }, { type: "null" }], description: "d" },
      { type: "STRING", pattern: "^a", description: "d", nullable: true },
    ],
    [
      "oneOf",
      { oneOf: [{ type: "string" }, { type: "boolean" }] },
      { anyOf: [{ type: "STRING" }, { type: "BOOLEAN" }] },
    ],
    [
      "no type beside alternatives",
      object(
        { a: { type: "string" }, b: { type: "string" } },
        { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      ),
      {
        anyOf: ["a", "b"].map((name) => ({
          type: "OBJECT",
          properties: { a: { type: "STRING" }, b: { type: "STRING" } },
          required: [name],
        })),
      },
    ],
    ["const", { const: "x" }, { type: "STRING", enum: ["x"] }],
    [
      "numbers in enum",
      { type: "integer", enum: [1, 2] },
      { type: "INTEGER", enum: ["1", "2"], format: "enum" },
    ],
    [
      "empty and null members of enum",
      { enum: ["a", "", null] },
      { type: "STRING", enum: ["a"], nullable: true },
    ],
    ["a boolean that is fixed", { const: true }, { type: "BOOLEAN", description: "Allowed values: true." }],
    [
      "exclusive bounds of integers",
      { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 9 },
      { type: "INTEGER", minimum: 1, maximum: 8 },
    ],
    [
      "exclusive bounds of numbers",
      { type: "number", exclusiveMinimum: 0.5 },
      { type: "NUMBER", minimum: 0.5 },
    ],
    [
      "exclusive bounds of the oldest draft",
      { type: "integer", minimum: 3, exclusiveMinimum: true },
      { type: "INTEGER", minimum: 4 },
    ],
    [
      "allOf",
      {
        allOf: [
          object({ x: { type: "string" } }, { required: ["x"] }),
          object({ x: { minLength: 2 }, y: { type: "number" } }),
        ],
      },
      {
        type: "OBJECT",
        properties: { x: { type: "STRING", minLength: 2 }, y: { type: "NUMBER" } },
        required: ["x"],
      },
    ],
    [
      "references, with what stands beside them",
      {
        $defs: { "a/b": { type: "string" } },
        ...(object({ x: { $ref: "#/$defs/a~1b", description: "d" } }) as object),
      },
      { type: "OBJECT", properties: { x: { type: "STRING", description: "d" } } },
    ],
    [
      "recursion, cut",
      {
        $defs: { tree: object({ kids: { type: "array", items: { $ref: "#/$defs/tree" } } }) },
        $ref: "#/$defs/tree",
      },
      { type: "OBJECT", properties: { kids: { type: "ARRAY", items: { type: "OBJECT" } } } },
    ],
    ["formats it knows", { type: "string", format: "date-time" }, { type: "STRING", format: "date-time" }],
    ["formats it does not", { type: "string", format: "email" }, { type: "STRING" }],
    ["arrays that do not say of what", { type: "array" }, { type: "ARRAY", items: { type: "STRING" } }],
    [
      "tuples",
      { prefixItems: [{ type: "string" }, { type: "number" }] },
      { type: "ARRAY", items: { anyOf: [{ type: "STRING" }, { type: "NUMBER" }] } },
    ],
    [
      "required names that are no properties",
      object({ a: { type: "string" }, gone: false }, { required: ["a", "b", "gone"] }),
      { type: "OBJECT", properties: { a: { type: "STRING" } }, required: ["a"] },
    ],
    ["a type that its keywords tell", { properties: { a: true } }, { type: "OBJECT", properties: { a: {} } }],
    [
      "properties that are named like keywords",
      object({
        type: { type: "string" },
        $ref: { type: "string" },
        title: { type: "string" },
        not: { type: "null" },
      }),
      {
        type: "OBJECT",
        properties: {
          type: { type: "STRING" },
          $ref: { type: "STRING" },
          title: { type: "STRING" },
          not: { type: "STRING", nullable: true },
        },
      },
    ],
  ])("a JSON Schema is written in the smaller dialect: %s", (_, schema, expected) => {
    expect(proto(schema)).toEqual(expected);
    expect(lossesOf(schema).length > 0).toBe(
      JSON.stringify(fromProtoSchema(proto(schema))) !== JSON.stringify(schema),
    );
  });

  test("a keyword that the smaller dialect lacks is lost by name", () => {
    const schema = object({
      a: { type: "number", multipleOf: 2 },
      "b/c": { type: "object", patternProperties: {} },
    });
    expect(lossesOf(schema).map(({ path }) => path)).toEqual([
      "/schema/properties/a/multipleOf",
      "/schema/properties/b~1c/patternProperties",
      "/schema",
    ]);
  });

  test("references that fan out without end are bounded", () => {
    const twice = (n: number): Json => ({ allOf: [{ $ref: `#/$defs/d${n}` }, { $ref: `#/$defs/d${n}` }] });
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`d${n}`, object({ a: twice(n + 1), b: twice(n + 1) })]),
    );
    expect(JSON.stringify(proto({ $defs, $ref: "#/$defs/d0" })).length).toBeLessThan(1_000_000);
  });

  const leaf = fc.constantFrom<Json>(
    { type: "string" },
    { enum: [1, "a", null] },
    true,
    false,
    { $ref: "#" },
    { const: {} },
    7,
  );
  const schema = fc.letrec<{ any: Json }>((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.dictionary(
        fc.constantFrom(
          "properties",
          "anyOf",
          "oneOf",
          "allOf",
          "items",
          "type",
          "required",
          "enum",
          "not",
          "minimum",
          "format",
          "x",
        ),
        fc.oneof(
          tie("any"),
          fc.array(tie("any")),
          fc.dictionary(fc.string(), tie("any")),
          fc.constantFrom<Json>("object", "array", 3),
        ),
      ) as fc.Arbitrary<Json>,
    ),
  })).any;

  test("whatever is written has only words that the dialect knows", () => {
    const words = (node: unknown): string[] => {
      if (typeof node !== "object" || node === null) return [];
      const record = node as Record<string, unknown>;
      const below = [
        record.items,
        ...((record.anyOf ?? []) as unknown[]),
        ...Object.values(record.properties ?? {}),
      ];
      return [...Object.keys(record), ...below.flatMap(words)];
    };
    fc.assert(
      fc.property(schema, (value) => {
        const written = proto(value);
        expect(words(written).filter((word) => !known.has(word))).toEqual([]);
        expect(proto(written)).toBeDefined();
      }),
    );
  });
});

describe("a schema of the smaller dialect as JSON Schema", () => {
  test.each<[string, Json, Json]>([
    [
      "types in either case",
      { type: "ARRAY", items: { type: "string" } },
      { type: "array", items: { type: "string" } },
    ],
    ["nullable", { type: "STRING", nullable: true }, { type: ["string", "null"] }],
    [
      "nullable values",
      { type: "STRING", enum: ["a"], nullable: true },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      "nullable alternatives",
      { anyOf: [{ type: "STRING" }], nullable: true },
      { anyOf: [{ type: "string" }, { type: "null" }] },
    ],
    [
      "counts as text",
      { type: "STRING", minLength: "1", maxLength: "10" },
      { type: "string", minLength: 1, maxLength: 10 },
    ],
    [
      "numbers as text",
      { type: "INTEGER", format: "enum", enum: ["1", "2"] },
      { type: "integer", enum: [1, 2] },
    ],
    [
      "names of properties are no keywords",
      {
        type: "OBJECT",
        properties: { type: { type: "STRING" }, nullable: { type: "BOOLEAN" } },
        propertyOrdering: ["type"],
      },
      { type: "object", properties: { type: { type: "string" }, nullable: { type: "boolean" } } },
    ],
    ["no type", { type: "TYPE_UNSPECIFIED", description: "d", example: 1 }, { description: "d" }],
  ])("a schema of the smaller dialect is read as JSON Schema: %s", (_, schema, expected) => {
    expect(fromProtoSchema(schema)).toEqual(expected);
  });

  test("a name that assignment treats specially stays a name", () => {
    const schema = JSON.parse('{"type":"OBJECT","properties":{"__proto__":{"type":"STRING"}}}') as Json;
    expect(JSON.stringify(fromProtoSchema(schema))).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
    );
    expect(JSON.stringify(proto(fromProtoSchema(schema)))).toBe(JSON.stringify(schema));
  });
});
