import { type AnyCodec, codecs, collectLosses } from "@manifold-gateway/core";
import { type JsonObject, type ParamTable, readParams, writeParams } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { atMost, paramFields, within } from "../../../packages/core/src/codec/params.ts";

const table: ParamTable = [
  { name: "maxTokens", wire: "max_completion_tokens", also: ["max_tokens"] },
  { name: "temperature", wire: "config.temperature", write: within(0, 1) },
  { name: "seed", wire: "config.seed" },
  { name: "stop", wire: "stop", write: atMost(2) },
  { name: "store", wire: "store" },
  { name: "labels", wire: "labels" },
];
const params = fc.record(
  {
    maxTokens: fc.nat(),
    temperature: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
    seed: fc.integer(),
    stop: fc.array(fc.string(), { minLength: 1, maxLength: 2 }),
    store: fc.boolean(),
    labels: fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      fc.string(),
    ),
  },
  { requiredKeys: [] },
);

test("the table reads what it writes, falsy values included", () => {
  fc.assert(
    fc.property(params, (wanted) => {
      const wire: JsonObject = {};
      const { losses, lose } = collectLosses();
      writeParams(table, wanted, wire, lose);
      expect(readParams(table, wire)).toEqual(wanted);
      expect(losses).toEqual([]);
    }),
  );
});

test("any value is read without a throw, and null is absent", () => {
  const wires = fc.dictionary(
    fc.constantFrom("max_completion_tokens", "max_tokens", "config", "stop", "store", "labels"),
    fc.oneof(fc.jsonValue(), fc.record({ temperature: fc.jsonValue(), seed: fc.jsonValue() })),
  );
  fc.assert(
    fc.property(wires, (wire) => {
      for (const value of Object.values(readParams(table, wire as JsonObject))) expect(value).not.toBeNull();
    }),
  );
});

test.each([
  [{ max_completion_tokens: 1, max_tokens: 2 }, { maxTokens: 1 }],
  [{ max_completion_tokens: null, max_tokens: 2 }, { maxTokens: 2 }],
  [{ max_completion_tokens: "many", max_tokens: 2 }, { maxTokens: 2 }],
  [{ config: { temperature: 0, seed: null } }, { temperature: 0 }],
  [{ stop: "x" }, { stop: ["x"] }],
  [{ stop: [] }, {}],
  [{ stop: ["x", 1] }, {}],
  [{ labels: { a: "b" } }, { labels: { a: "b" } }],
])("the parameters %o are read as %o", (wire, expected) => {
  expect(readParams(table, wire as JsonObject)).toEqual(expected);
});

test("members without a row and moved members are named", () => {
  const { losses, lose } = collectLosses();
  const wire: JsonObject = {};
  writeParams(table, { topK: 0, temperature: 1.5, stop: ["a", "b", "c"] }, wire, lose);
  expect(wire).toEqual({ config: { temperature: 1 }, stop: ["a", "b"] });
  expect(losses.map(({ path, why }) => [path, why])).toEqual([
    ["/params/topK", "unsupported"],
    ["/params/temperature", "approximated"],
    ["/params/stop", "approximated"],
  ]);
});

test("a table knows the wire fields it reads", () => {
  expect(new Set(paramFields(table))).toEqual(
    new Set(["max_completion_tokens", "max_tokens", "config", "stop", "store", "labels"]),
  );
});

test.each(["chatstyle", "responses"] as const)(
  "%s limits the number of labels and the length of an id",
  (name) => {
    const labels = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key${i}`, "value"]));
    const { losses, lose } = collectLosses();
    const wire: JsonObject = {};
    writeParams(codecs[name].params, { labels, user: "u".repeat(65) }, wire, lose);
    expect(readParams(codecs[name].params, wire)).toEqual({
      labels: Object.fromEntries(Object.entries(labels).slice(0, 16)),
      user: "u".repeat(64),
    });
    expect(losses.map(({ path, why }) => [path, why])).toEqual([
      ["/params/labels", "approximated"],
      ["/params/user", "approximated"],
    ]);
  },
);

test.each(["chatstyle", "responses"] as const)("%s keeps both ids of a user", (name) => {
  const codec: AnyCodec = codecs[name];
  const said = { user: "one", safety_identifier: "two" };
  const request = codec.request.decode({ model: "m", messages: [], input: [], ...said });
  expect(codec.request.encode(request, () => {})).toMatchObject(said);
  const { losses, lose } = collectLosses();
  codecs.genstyle.request.encode(request, lose);
  expect(losses.filter(({ path }) => /user|safety/.test(path))).toHaveLength(2);
});
