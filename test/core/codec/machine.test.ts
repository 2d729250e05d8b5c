import { chain, type Machine, run } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compact, parseObject, put, rest } from "../../../packages/core/src/json/json.ts";

/** Repeats each input a number of times, and gives one back when it is over. */
const repeat = (times: number, held: string): Machine<string, string> => ({
  step: (input) => Array.from({ length: times }, () => input),
  end: () => [held],
});

test("a chain gives what running one machine after the other gives", () => {
  const times = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(fc.array(fc.string()), times, times, (inputs, first, second) => {
      expect(run(chain(repeat(first, "<"), repeat(second, ">")), inputs)).toEqual(
        run(repeat(second, ">"), run(repeat(first, "<"), inputs)),
      );
    }),
  );
});

test("the rest of a record is what is not known, odd names included", () => {
  const record = JSON.parse('{"a":1,"__proto__":{"x":1},"constructor":2,"b":null}');
  expect(JSON.stringify(rest(record, new Set(["a"])))).toBe('{"__proto__":{"x":1},"constructor":2,"b":null}');
  expect(rest({ a: 1 }, new Set(["a"]))).toBeUndefined();
});

test("putting a member never touches the prototype", () => {
  const record = {};
  put(record, "__proto__", { polluted: true });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  expect(JSON.stringify(record)).toBe('{"__proto__":{"polluted":true}}');
});

test("compact takes out what is undefined and nothing else", () => {
  expect(Object.keys(compact({ a: undefined, b: null, c: 0, d: "" }))).toEqual(["b", "c", "d"]);
});

test.each(["[]", "null", '"x"', "1", "{", ""])("the text %s is not a JSON object", (text) => {
  expect(parseObject(text)).toBeUndefined();
});
