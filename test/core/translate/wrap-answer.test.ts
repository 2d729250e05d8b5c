import {
  type AnyCodec,
  codecs,
  encodeRequest,
  type TextRequest,
  TranslatedReply,
  writeChunk,
} from "@manifold-gateway/core";
import { type Json, type JsonObject, run, toObject } from "@manifold-gateway/core/codec";
import { type Event, fold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ignoreLosses } from "../../../packages/core/src/ir/loss.ts";
import { unwrapAnswer } from "../../../packages/core/src/translate/wrap-answer.ts";

const text = { type: "string" };
const recipe = { type: "object", properties: { name: text }, required: ["name"] };
const head = { id: "x", model: "m", created: 1 };

const asked = (schema: Json): TextRequest => ({
  model: "m",
  stream: true,
  messages: [{ role: "user", parts: [{ type: "text", text: "go" }] }],
  format: { type: "schema", schema },
  params: { maxTokens: 99 },
});
const schemaIn = (wire: JsonObject): JsonObject => {
  const format = toObject(wire.response_format ?? toObject(wire.text).format);
  return toObject(toObject(format.json_schema).schema ?? format.schema);
};
const family = [codecs.chatstyle, codecs.responses].map((codec): [string, AnyCodec] => [
  codec.protocol,
  codec,
]);

describe.each(family)("an answer that is no object, from the wire %s", (_, codec) => {
  test.each<[string, JsonObject, JsonObject]>([
    ["a list", { type: "array", items: recipe }, { type: "array", items: recipe }],
    ["a text", { enum: ["a", "b"], type: "string" }, { enum: ["a", "b"], type: "string" }],
    ["alternatives", { anyOf: [recipe, { type: "null" }] }, { anyOf: [recipe, { type: "null" }] }],
    ["an object or null", { ...recipe, type: ["object", "null"] }, { ...recipe, type: ["object", "null"] }],
    [
      "a list of what is defined",
      { type: "array", items: { $ref: "#/definitions/R" }, definitions: { R: recipe } },
      { type: "array", items: { $ref: "#/$defs/R" } },
    ],
  ])("is asked for as a member of an object: %s", (_title, schema, member) => {
    const { wire, losses, restores } = encodeRequest(asked(schema), codec);
    expect(schemaIn(wire)).toMatchObject({
      type: "object",
      properties: { answer: member },
      required: ["answer"],
      additionalProperties: false,
    });
    expect(losses).toContainEqual({
      path: "/format/schema",
      why: "approximated",
      detail: expect.any(String),
    });
    expect(restores).toBe(true);
  });

  test.each<[string, JsonObject]>([
    ["an object", recipe],
    ["a reference to an object", { $ref: "#/$defs/R", $defs: { R: recipe } }],
    ["a conjunction", { allOf: [recipe, { properties: { n: text } }] }],
  ])("an object is asked for as it is: %s", (_title, schema) => {
    const { wire, losses, restores } = encodeRequest(asked(schema), codec);
    expect(schemaIn(wire)).toMatchObject({ type: "object", properties: { name: text } });
    expect(losses).toEqual([]);
    expect(restores).toBe(false);
  });

  const written: [json: string, answer: string][] = [
    ['{"answer":[{"name":"a}"},{"name":"b"}]}', '[{"name":"a}"},{"name":"b"}]'],
    ['{ "answer" : {"name":"}"} \n}', '{"name":"}"}'],
    ['\n{"answer":12345678901234567890}\n', "12345678901234567890"],
    ['{"answer":"yes }"}', '"yes }"'],
    ['[{"name":"a"}]', '[{"name":"a"}]'],
    ["No.", "No."],
    ['{"other":1}', '{"other":1}'],
    ['{"answer":[1', "[1"],
    ['{"ans', '{"ans'],
  ];
  test.each(written)("is taken out of the object, however its text is cut: %s", (json, answer) => {
    fc.assert(
      fc.property(fc.array(fc.nat(json.length), { maxLength: 6 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), json.length];
        const events: Event[] = [
          { type: "start", id: "r", model: "m", created: 1 },
          { type: "open", index: 0, part: { type: "text" } },
          ...at.slice(1).map((end, i): Event => ({ type: "delta", index: 0, text: json.slice(at[i], end) })),
          { type: "close", index: 0 },
          { type: "finish", reason: "stop" },
        ];
        const { restore } = encodeRequest(asked({ type: "array" }), codec);
        const reply = new TranslatedReply(codec, codecs.genstyle, head, { restore: restore() });
        const chunks = run(codec.reply.encode(head, ignoreLosses), events) as Json[];
        const stream =
          chunks.map((chunk) => reply.push(new TextEncoder().encode(writeChunk(chunk, codec)))).join("") +
          reply.finish();
        const got = [...stream.matchAll(/^data: (.*)$/gm)].map(
          ([, data]) => JSON.parse(data as string) as Json,
        );
        const parts = fold(run(codecs.genstyle.reply.decode(), got)).choices.flatMap(
          (choice) => choice.parts,
        );
        expect(parts.map((part) => (part.type === "text" ? part.text : "")).join("")).toBe(answer);
      }),
      { numRuns: 30 },
    );
  });
});

test.each([
  ["before the answer", "", "\n"],
  ["within the answer", '{"answer":[1', " "],
])("white space without end %s is not held back without end", (_, opening, space) => {
  const machine = unwrapAnswer();
  machine.step({ type: "open", index: 0, part: { type: "text" } });
  machine.step({ type: "delta", index: 0, text: opening });
  const written = Array.from({ length: 5_000 }, () => machine.step({ type: "delta", index: 0, text: space }));
  const length = written
    .flat()
    .reduce((sum, event) => sum + (event.type === "delta" ? event.text.length : 0), 0);
  expect(length).toBeGreaterThan(3_000);
});
