import {
  any,
  array,
  type Issue,
  nullish,
  number,
  object,
  oneOf,
  optional,
  record,
  recordOf,
  type Schema,
  string,
  union,
  validator,
  variant,
} from "@manifold-gateway/core/schema";
import { describe, expect, it, test } from "vitest";

const issuesIn = (schema: Schema, value: unknown): Issue[] =>
  validator(schema).safeParse(value).error?.issues ?? [];
const textsIn = (schema: Schema, value: unknown): string[] =>
  issuesIn(schema, value).map(({ path, message }) => `${path.map(String).join(".")}: ${message}`);

const part = object(
  { type: string(), text: nullish(string()) },
  { noun: "part", by: "type", absent: "text", members: { text: "text" } },
);
const shape = variant(object({ kind: string() }), "kind", { round: object({ radius: number({ min: 1 }) }) });

describe("a validator", () => {
  test.each<[string, Schema, unknown, string[]]>([
    ["a missing member", object({ a: string() }), {}, ["a: is missing: it must be text"]],
    [
      "null where it is not allowed",
      object({ a: optional(string()) }),
      { a: null },
      ["a: must be text, and is null"],
    ],
    ["a number beyond JSON", number(), Number.NaN, [": must be a number"]],
    ["a fraction", number({ integer: true }), 1.5, [": must be a whole number"]],
    [
      "an integer that a number rounds",
      number({ integer: true }),
      2 ** 60,
      [": must be at most 9007199254740991"],
    ],
    ["a number out of its range", number({ min: 0, max: 2 }), 3, [": must be at most 2"]],
    ["an empty string", string({ min: 1 }), "", [": must not be empty"]],
    [
      "a string with a message",
      string({ pattern: /^a/, message: "must begin with a" }),
      "b",
      [": must begin with a"],
    ],
    ["a word", oneOf("a", "b"), "c", [": must be one of a, b"]],
    ["the only word", oneOf("a"), "c", [": must be a"]],
    ["an empty list", array(any(), { min: 1 }), [], [": must not be empty"]],
    ["a list where a record stands", record("must be an object"), [], [": must be an object"]],
    ["a value in a record", recordOf(number()), { a: 1, b: "2" }, ["b: must be a number, and is text"]],
    [
      "two items",
      array(string()),
      [1, "a", 2],
      ["0: must be text, and is a number", "2: must be text, and is a number"],
    ],
    ["a needed member", part, { type: "text" }, ['text: A part of type "text" needs "text"']],
    ["a case of a variant", shape, { kind: "round", radius: 0 }, ["radius: must be 1 or more"]],
  ])("a validator finds %s", (_, schema, value, texts) => {
    expect(textsIn(schema, value)).toEqual(texts);
  });

  test.each<[string, Schema, unknown]>([
    ["unknown members", object({ a: string() }), { a: "x", b: 1 }],
    ["null that means absence", object({ a: nullish(string()) }), { a: null }],
    ["an unknown case of an open variant", shape, { kind: "square" }],
    ["words that every object has", shape, { kind: "constructor" }],
    ["any value", any(), { deep: [1] }],
  ])("a validator accepts %s, and returns the value itself", (_, schema, value) => {
    expect(validator(schema).safeParse(value).data).toBe(value);
    expect(validator(schema).parse(value)).toBe(value);
  });

  it("a validator names the fault within the option of a union that has the right type", () => {
    expect(textsIn(union([string(), array(part)]), [{ type: "text" }])).toEqual([
      '0.text: A part of type "text" needs "text"',
    ]);
  });

  it("a validator lists the issues of all options where none has the right type", () => {
    expect(
      issuesIn(object({ a: union([string(), array(string())], "must be texts") }), { a: [1] }),
    ).toMatchObject([
      {
        code: "invalid_union",
        path: ["a"],
        message: "must be texts",
        errors: [[{ path: [] }], [{ path: [0] }]],
      },
    ]);
  });

  it("a validator stops in a list of nothing but faults", () => {
    expect(issuesIn(array(number()), Array(100_000).fill("x")).length).toBeLessThan(1_000);
  });

  it("a validator refuses words of a closed variant that have no case", () => {
    const closed = variant(object({ kind: string() }), "kind", { round: object({}) }, { closed: true });
    expect(textsIn(closed, { kind: "square" })).toEqual(["kind: must be round"]);
  });

  it("a validator throws an error that names the places of a value that does not fit", () => {
    expect(() => validator(object({ a: string() })).parse({})).toThrow(/^a: is missing: it must be text/);
  });

  it("a validator prepares a value first, and looks for faults in one that fits", () => {
    const schema = validator(object({ n: number() }), {
      prepare: (value) => (typeof value === "number" ? { n: value } : value),
      faults: (value) => ((value as { n: number }).n === 13 ? [{ path: ["n"], message: "is unlucky" }] : []),
    });
    expect(schema.parse(1)).toEqual({ n: 1 });
    expect(schema.safeParse(13).error?.issues).toEqual([
      { code: "custom", path: ["n"], message: "is unlucky" },
    ]);
    expect(schema.safeParse("x").error?.issues.map(({ code }) => code)).toEqual(["invalid_type"]);
  });
});
