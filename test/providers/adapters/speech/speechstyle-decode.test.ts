import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { readGenerated, readItems, readObjects } from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lines } from "./speechstyle.ts";

describe("objects in a byte stream", () => {
  const readAll = (parts: Uint8Array[]): JsonObject[] => {
    const machine = readObjects();
    return [...parts.flatMap((part) => machine.step(part)), ...machine.end()];
  };
  // Member names stay plain: some versions of the runtime misread names that hold an escape.
  const text = fc.string({
    unit: fc.constantFrom("{", "}", '"', "\\", "[", "]", "a", "\n", "é", "\u{1f600}"),
  });
  const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "{", "}"), tie("value")),
    ),
  }));
  const object = fc.dictionary(fc.constantFrom("data", "{", "}"), anyValue);

  test("objects come out as they went in, wherever reads cut them", () => {
    fc.assert(
      fc.property(
        fc.array(object),
        fc.constantFrom("", "\n", "\r\n", ",", '"}]', " \\"),
        fc.array(fc.nat(), { maxLength: 12 }),
        (objects, between, cuts) => {
          const bytes = Buffer.from(objects.map((one) => JSON.stringify(one)).join(between));
          const at = cuts.map((cutAt) => cutAt % (bytes.length + 1)).sort((a, b) => a - b);
          const parts = [0, ...at].map((from, i) => bytes.subarray(from, at[i]));
          expect(readAll(parts)).toEqual(objects);
        },
      ),
    );
  });
  test("objects come out as they went in, byte by byte", () => {
    const objects: JsonObject[] = [{ a: '{"\\}é\u{1f600}' }, { b: { c: ["\\\\"] } }];
    const bytes = Buffer.from(lines(objects));
    expect(readAll([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(objects);
  });
  test("an object without an end gives nothing, one without a bound is refused", () => {
    expect(readAll([Buffer.from('{"a": {"b": 1}')])).toEqual([]);
    const machine = readObjects(10);
    expect(() => machine.step(Buffer.from(`{"a":"${"x".repeat(10)}`))).toThrow(/more than 10 characters/);
  });
});

test("whatever a provider answers is read without a throw", () => {
  const key = fc.constantFrom("code", "message", "data", "usage", "header", "audio", "url", "subtitle");
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>(0, 20000000, -1, 0.5, "0", "x", "", null, true),
      fc.array(tie("value"), { maxLength: 2 }),
      fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 6 }), (body) => {
      for (const heard of readItems(body))
        if (heard.type === "end") expect(Number.isInteger(heard.characters ?? 0)).toBe(true);
      const generated = readGenerated(body);
      if ("output" in generated) expect(generated.data ?? generated.output.providerUrl).toBeTruthy();
    }),
  );
});
