import { codecs } from "@manifold-gateway/core";
import { run } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toObject } from "../../../packages/core/src/json/json.ts";
import { keySpeller } from "../../../packages/core/src/translate/fit-keys.ts";
import { fitNames } from "../../../packages/core/src/translate/fit-names.ts";
import { asked } from "./text-request.ts";

const keys = { pattern: /^[a-zA-Z0-9_.-]+$/, max: 64 };
const key = fc.oneof(fc.constantFrom("filter[id]", "filter_id", "$top", "a b", "x".repeat(65)), fc.string());

it("respells the parameters that a target refuses, each in its own way, and reads them back", () => {
  const members = fc.dictionary(key, fc.constantFrom(1, "a[b]", { "filter[id]": 2 }), {
    maxKeys: 9,
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(members, fc.array(key), (values, required) => {
      const speller = keySpeller(keys);
      const properties = Object.fromEntries(Object.keys(values).map((one) => [one, { title: one }]));
      const schema = speller.schema("f", { type: "object", properties, required });
      const names = Object.keys(toObject(schema.properties));
      expect(names.every((one) => one.length <= 64 && keys.pattern.test(one))).toBe(true);
      expect(new Set(names).size).toBe(Object.keys(values).length);
      const text = JSON.stringify(values);
      expect(speller.unspell("f", speller.spell("f", text))).toBe(text);
      for (const one of Object.keys(JSON.parse(speller.spell("f", text)))) expect(names).toContain(one);
    }),
  );
});

it("leaves a call alone that is cut within a text", () => {
  const speller = keySpeller(keys);
  speller.schema("f", { properties: { "a b": {} } });
  for (const text of ["", '{"', '{"a b', `{"c": "${'\\"'.repeat(9)}`, '{"c": "a b\\'])
    expect(speller.spell("f", text)).toBe(text);
});

const tool = {
  type: "function",
  name: "list",
  schema: { type: "object", properties: { "filter[id]": { type: "string" } }, required: ["filter[id]"] },
} as const;

it("restores the parameters of a call that comes in fragments", () => {
  const target = { names: { pattern: /./, max: 64 }, ids: { pattern: /./, max: 64 }, keys, freeform: true };
  const { request, restores, restore } = fitNames(asked([], { tools: [tool as never] }), target, () => {});
  const [fitted] = request.tools as unknown as { schema: { properties: object; required: string[] } }[];
  const [name = ""] = Object.keys(fitted?.schema.properties ?? {});
  expect(name).toMatch(keys.pattern);
  expect(fitted?.schema.required).toEqual([name]);
  expect(restores).toBe(true);
  const events: Event[] = [
    { type: "open", index: 0, part: { type: "call", id: "c", name: "list" } },
    { type: "delta", index: 0, text: `{"${name.slice(0, 4)}` },
    { type: "delta", index: 0, text: `${name.slice(4)}": 1.0}` },
    { type: "close", index: 0 },
  ];
  expect(run(restore(), events)).toEqual([
    events[0],
    { type: "delta", index: 0, text: '{"filter[id]": 1.0}' },
    events[3],
  ]);
});

it("is asked of by the wires whose servers refuse such names", () => {
  expect([codecs.msgstyle, codecs.conversestyle].map((codec) => codec.keys)).toEqual([keys, keys]);
  expect((codecs.responses as { keys?: object }).keys).toBeUndefined();
});
