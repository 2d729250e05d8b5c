import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";
import { targets, writeTool } from "./targets.ts";

const all = Object.entries(targets);
const text = { type: "string" };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const byPath = object({ path: text }, { required: ["path"] });
const byUrl = object({ url: text, note: text }, { required: ["url"] });

/** Schemas of tools as servers and generators write them, and the properties that a model has to be shown. */
const schemas: [title: string, schema: JsonObject, properties: string[]][] = [
  [
    "alternatives that are references",
    {
      anyOf: [{ $ref: "#/$defs/ByPath" }, { $ref: "#/$defs/ByUrl" }],
      $defs: { ByPath: byPath, ByUrl: byUrl },
    },
    ["path", "url", "note"],
  ],
  [
    "alternatives of alternatives",
    { oneOf: [{ anyOf: [byPath, byUrl] }, object({ id: text })], properties: { mode: text } },
    ["path", "url", "note", "id", "mode"],
  ],
  ["alternatives with null", { anyOf: [byPath, { type: "null" }] }, ["path"]],
  ["a reference", { $ref: "#/definitions/Args", definitions: { Args: byPath } }, ["path"]],
  [
    "a reference to a reference",
    { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/B" }, B: byPath } },
    ["path"],
  ],
  ["a reference beside a type", { type: "object", $ref: "#/$defs/A", $defs: { A: byPath } }, ["path"]],
  [
    "conjunctions of references",
    { allOf: [{ $ref: "#/$defs/A" }, { properties: { n: { type: "number" } } }], $defs: { A: byPath } },
    ["path", "n"],
  ],
  ["an object without properties", { type: "object", additionalProperties: false }, []],
  ["an object of which nothing is said", { type: "object" }, []],
  ["nothing", {}, []],
  ["a type that is null", { type: null, properties: { city: text } }, ["city"]],
  ["properties that are null", { type: "object", properties: null }, []],
  ["a type that may be null", { type: ["object", "null"], properties: { city: text } }, ["city"]],
  ["types in upper case", { type: "OBJECT", properties: { city: { type: "STRING" } } }, ["city"]],
  ["no type", { properties: { city: text } }, ["city"]],
];

describe.each(all)("the schema of a tool: %s", (_, target) => {
  test.each(schemas)(
    "a schema has an object with its properties at the top: %s",
    (_title, schema, properties) => {
      const written = writeTool(schema, target);
      // The smaller dialect leaves out a schema without properties.
      const top = (written.schema ?? object({})) as JsonObject;
      expect(Object.keys(top)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(anyOf|oneOf|allOf|\$ref|enum|not)$/)]),
      );
      expect(top.type).toBe("object");
      expect(Object.keys(top.properties as JsonObject).sort()).toEqual([...properties].sort());
    },
  );

  test("two tags of a union are two values of one property", () => {
    const branch = (kind: string): JsonObject => object({ kind: { const: kind } }, { required: ["kind"] });
    const { schema } = writeTool({ oneOf: [branch("a"), branch("b")] }, target);
    expect(schema).toMatchObject({ properties: { kind: { enum: ["a", "b"] } }, required: ["kind"] });
  });

  test("what every alternative requires is required", () => {
    const { schema } = writeTool(
      {
        type: "object",
        properties: { id: text, a: text, b: text },
        anyOf: [{ required: ["id", "a"] }, { required: ["id", "b"] }],
      },
      target,
    );
    expect(schema).toMatchObject({ required: ["id"] });
  });

  test("a schema that the target takes is not touched", () => {
    const schema = object({ city: text, days: { type: "integer" } }, { required: ["city"] });
    expect(writeTool(schema, target)).toMatchObject({ schema, losses: [] });
  });

  test.each<[string, JsonObject]>([
    ["itself", object({ value: text, next: { $ref: "#" } })],
    [
      "a definition",
      object(
        { tree: { $ref: "#/$defs/T" } },
        { $defs: { T: object({ kids: { type: "array", items: { $ref: "#/$defs/T" } } }) } },
      ),
    ],
    [
      "two definitions",
      {
        $ref: "#/$defs/A",
        $defs: {
          A: object({ b: { $ref: "#/$defs/B" } }),
          B: object({ a: { $ref: "#/$defs/A", title: "A" } }),
        },
      },
    ],
    ["itself at once", { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/A" } } }],
    ["itself in a conjunction", { allOf: [{ $ref: "#" }, byPath] }],
    ["itself in an alternative", { anyOf: [{ $ref: "#" }, byPath] }],
  ])("a schema that leads back to %s ends", (_title, schema) => {
    const { schema: written = {} } = writeTool(schema, target);
    expect(JSON.stringify(written).length).toBeLessThan(2_000);
    for (const ref of JSON.stringify(written).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g))
      expect(written).toHaveProperty(["$defs", ref[1] as string]);
  });

  test("definitions that fan out are not written without end", () => {
    const $defs: JsonObject = { d40: byPath };
    for (let i = 0; i < 40; i++) {
      const next = { $ref: `#/$defs/d${i + 1}`, title: "next" };
      $defs[`d${i}`] = object({ left: next, right: next });
    }
    const { schema } = writeTool({ $ref: "#/$defs/d0", $defs }, target);
    expect(JSON.stringify(schema).length).toBeLessThan(2_000_000);
  });
});

describe("references towards genstyle", () => {
  const target = targets.genstyle as (typeof targets)[string];
  /** What stands beside each reference. */
  function* besides(schema: Json): Generator<string[]> {
    if (typeof schema !== "object" || schema === null) return;
    if ("$ref" in schema) yield Object.keys(schema).filter((key) => !key.startsWith("$"));
    for (const value of Object.values(schema)) yield* besides(value);
  }
  test("nothing stands beside a reference, and nothing is lost", () => {
    const schema = object(
      {
        first: { $ref: "#/$defs/Opt", title: "First", description: "the first" },
        second: { $ref: "#/definitions/Two" },
      },
      { $defs: { Opt: byPath }, definitions: { Two: text } },
    );
    const written = writeTool(schema, target);
    expect(written).toMatchObject({
      schema: object(
        {
          first: { ...byPath, title: "First", description: "the first" },
          second: { $ref: "#/$defs/Two" },
        },
        { $defs: { Two: text } },
      ),
      losses: [],
    });
    expect([...besides(written.schema as Json)].flat()).toEqual([]);
  });
  test("a property that leads back is not required", () => {
    const node = object(
      { kids: { type: "array", items: { $ref: "#/$defs/Node" } }, v: text },
      { required: ["kids", "v"] },
    );
    const written = writeTool(
      object({ tree: { $ref: "#/$defs/Node" } }, { required: ["tree"], $defs: { Node: node } }),
      target,
    );
    expect(written.schema).toMatchObject({ required: ["tree"], $defs: { Node: { required: ["v"] } } });
    expect(written.losses.map(({ path }) => path)).toEqual(["/tools/0/schema/$defs/Node/required"]);
  });
});

describe("a model that refuses forms of schemas", () => {
  const target = targets["a model of small schemas"] as (typeof targets)[string];
  test.each<[string, JsonObject, JsonObject]>([
    [
      "the name of a draft",
      { $schema: "https://json-schema.org/draft/2020-12/schema", ...object({ a: text }) },
      object({ a: text }),
    ],
    [
      "a type beside alternatives",
      object({ a: { type: "string", anyOf: [{ enum: ["x"] }, { pattern: "^y" }], description: "d" } }),
      object({
        a: {
          description: "d",
          anyOf: [
            { type: "string", enum: ["x"] },
            { type: "string", pattern: "^y" },
          ],
        },
      }),
    ],
    [
      "boolean schemas",
      object({ any: true }),
      object({ any: { type: ["object", "array", "string", "number", "boolean", "null"] } }),
    ],
    [
      "a reference with neighbours",
      object({ a: { $ref: "#/properties/b", description: "d" }, b: text }),
      object({ a: { type: "string", description: "d" }, b: text }),
    ],
    [
      "a value without a type",
      object({ a: { enum: ["x", "y"] } }),
      object({ a: { enum: ["x", "y"], type: "string" } }),
    ],
    [
      "a requirement that is not declared",
      object({}, { required: ["a"] }),
      object(
        { a: { type: ["object", "array", "string", "number", "boolean", "null"] } },
        { required: ["a"] },
      ),
    ],
  ])("a schema is written in other words, and nothing is lost: %s", (_, schema, expected) => {
    expect(writeTool(schema, target)).toMatchObject({ schema: expected, losses: [] });
  });
});

describe("regular expressions", () => {
  const family = ["chatstyle", "responses"].map((name) => targets[name] as (typeof targets)[string]);
  const patterns = (pattern: string): JsonObject =>
    object({ a: { type: "array", items: { type: "string", pattern, description: "d" } }, pattern: text });

  test.each([
    "^[a-z]{1,9}$",
    String.raw`^\d+\.\w*(?:-[\x00-\u001F\-/])?\s$`,
    String.raw`\\p{L}`,
    String.raw`^[(]?[\]]$`,
  ])("those that every engine reads are kept: %s", (pattern) => {
    for (const target of family)
      expect(writeTool(patterns(pattern), target)).toMatchObject({ schema: patterns(pattern), losses: [] });
  });

  test.each([
    String.raw`^(?!__.*__$)[^\p{Cc}"\\./[\]]{1,200}$`,
    String.raw`^(?=.*\S)`,
    "(?<=a)b",
    String.raw`^(?<year>\d{4})$`,
    String.raw`^[^\0]*$`,
    String.raw`(a)\1`,
    String.raw`\u{1F600}`,
    String.raw`\cA`,
    "[^]",
    "a\\",
  ])("others are left out, and told, since a server may refuse the request: %s", (pattern) => {
    for (const target of family) {
      const { schema, losses } = writeTool(patterns(pattern), target);
      expect(schema).toEqual(
        object({ a: { type: "array", items: { type: "string", description: "d" } }, pattern: text }),
      );
      expect(losses.map(({ path }) => path)).toEqual(["/tools/0/schema/properties/a/items/pattern"]);
      const names = { ...object({}), patternProperties: { [pattern]: text, "^x-": text } };
      const written = writeTool(names, target);
      expect(written.schema).toEqual({ ...object({}), patternProperties: { "^x-": text } });
      expect(written.losses.map(({ path }) => path)).toEqual(["/tools/0/schema/patternProperties"]);
    }
  });

  test("the messages wire takes them all", () => {
    const schema = patterns(String.raw`^(?!x)\p{L}$`);
    expect(writeTool(schema, targets.msgstyle as (typeof targets)[string])).toMatchObject({
      schema,
      losses: [],
    });
  });
});

describe("strictness", () => {
  const closed = object({ a: text }, { required: ["a"], additionalProperties: false });
  const family = ["chatstyle", "responses"].map(
    (name) => [name, targets[name] as (typeof targets)[string]] as const,
  );
  test.each(family)("a schema of the strict subset is strict: %s", (_, target) => {
    expect(writeTool(closed, target, true)).toMatchObject({ schema: closed, strict: true, losses: [] });
  });
  test.each(
    family.flatMap(([name, target]) =>
      [
        object({ a: text }, { additionalProperties: false }),
        object({ a: text }, { required: ["a"] }),
        object({ a: { type: "string", format: "uri" } }, { required: ["a"], additionalProperties: false }),
        object({ a: {} }, { required: ["a"], additionalProperties: false }),
        object({ a: { type: "array" } }, { required: ["a"], additionalProperties: false }),
        object(
          { a: { type: "object", additionalProperties: text } },
          { required: ["a"], additionalProperties: false },
        ),
        object(
          { a: { type: "array", items: text, uniqueItems: true } },
          { required: ["a"], additionalProperties: false },
        ),
      ].map((schema) => [name, JSON.stringify(schema), target, schema] as const),
    ),
  )("any other schema is sent without strictness, which is lost: %s %s", (_, _json, target, schema) => {
    const { strict, losses } = writeTool(schema, target, true);
    expect(strict ?? false).toBe(false);
    expect(losses.map(({ path }) => path)).toEqual(["/tools/0/strict"]);
  });
  test.each(family)("a strict schema stays strict without a rare pattern: %s", (_, target) => {
    const schema = { ...closed, properties: { a: { ...text, pattern: "^(?!x)" } } };
    expect(writeTool(schema, target, true)).toMatchObject({ schema: closed, strict: true });
  });
  test("a reference with neighbours is put in place, since the strict subset has none", () => {
    const schema = object(
      { a: { $ref: "#/$defs/A", description: "d" } },
      { required: ["a"], additionalProperties: false, $defs: { A: text } },
    );
    expect(writeTool(schema, targets.chatstyle as (typeof targets)[string], true)).toMatchObject({
      schema: object(
        { a: { type: "string", description: "d" } },
        { required: ["a"], additionalProperties: false },
      ),
      strict: true,
      losses: [],
    });
  });
  test.each<[string, JsonObject]>([
    ["recurs", object({ next: { $ref: "#" } })],
    ["has an object of any properties", object({ labels: { type: "object", additionalProperties: text } })],
  ])(
    "a messages tool is not strict where closing its objects would empty them: its schema %s",
    (_, schema) => {
      const {
        schema: written,
        strict,
        losses,
      } = writeTool(schema, targets.msgstyle as (typeof targets)[string], true);
      expect(written).toEqual(schema);
      expect(strict).toBeUndefined();
      expect(losses.map(({ path }) => path)).toEqual(["/tools/0/strict"]);
    },
  );
  test("a model that knows no strictness is asked for none", () => {
    const written = writeTool(closed, targets["a model of small schemas"] as (typeof targets)[string], true);
    expect(written).toMatchObject({ schema: closed, losses: [{ path: "/tools/0/strict" }] });
    expect(written.strict).toBeUndefined();
  });
});
