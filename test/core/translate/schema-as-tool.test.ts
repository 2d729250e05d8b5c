import { chatstyle, encodeRequest, msgstyle, type TextRequest, translateBody } from "@manifold-gateway/core";
import { type Json, type JsonObject, run, translateChunks } from "@manifold-gateway/core/codec";
import { type Event, type Format, fold } from "@manifold-gateway/core/ir";
import { expect, test } from "vitest";
import { asked } from "./text-request.ts";

const schema: Json = { type: "object", properties: { n: { type: "integer", minimum: 1 } }, required: ["n"] };
const format: Format = { type: "schema", schema, name: "count", strict: true };
const hi: TextRequest["messages"] = [{ role: "user", parts: [{ type: "text", text: "how many?" }] }];
const ask = (more: Partial<TextRequest> = {}) =>
  encodeRequest(asked(hi, { params: { maxTokens: 9 }, format, ...more }), msgstyle, { format: false });

const head = { id: "x", model: "m", created: 1 };
const use = (id: string, input: JsonObject, name = "count"): JsonObject => ({
  type: "tool_use",
  id,
  name,
  input,
});
const body = (...content: JsonObject[]): JsonObject => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content,
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 4 },
});
const first = (wire: JsonObject) => (wire.choices as JsonObject[] | undefined)?.[0];

test("a model without a place for a schema is made to call a tool of that schema", () => {
  const { wire, losses } = ask();
  expect(wire).toMatchObject({
    tools: [{ name: "count", input_schema: schema }],
    tool_choice: { type: "tool", name: "count", disable_parallel_tool_use: true },
  });
  expect(wire).not.toHaveProperty("output_config");
  expect(losses).toEqual([{ path: "/format", why: "approximated", detail: expect.any(String) }]);
});

test("a model with a place for a schema is asked in its own words", () => {
  const { wire } = encodeRequest(asked(hi, { params: { maxTokens: 9 }, format }), msgstyle);
  expect(wire).toMatchObject({ output_config: { format: { type: "json_schema" } } });
  expect(wire).not.toHaveProperty("tools");
});

test.each<[string, Partial<TextRequest>]>([
  ["other tools", { tools: [{ type: "function", name: "f" }] }],
  ["thinking", { reasoning: { effort: "high" } }],
])("the schema becomes an instruction with %s, and that is reported", (_, more) => {
  const { wire, losses } = ask(more);
  expect(JSON.stringify(wire.system)).toContain("JSON Schema");
  expect(wire).not.toHaveProperty("tool_choice");
  expect(wire).not.toHaveProperty("output_config.format");
  expect(losses).toContainEqual({ path: "/format", why: "approximated", detail: expect.any(String) });
});

test.each<[string, JsonObject]>([
  ["a list", { type: "array" }],
  ["alternatives", { anyOf: [schema, { type: "null" }] }],
])("an answer that is no object is the one argument of the tool: %s", (_, other) => {
  const { wire, restore } = ask({ format: { type: "schema", schema: other } });
  expect(wire).toMatchObject({
    tools: [{ input_schema: { type: "object", properties: { answer: other } } }],
  });
  const made = translateBody(body(use("a", { answer: [7, 8] }, "answer")), {
    from: msgstyle,
    to: chatstyle,
    head,
    restore: restore(),
  }).body;
  expect(first(made)).toMatchObject({ finish_reason: "stop", message: { content: "[7,8]" } });
});

test("the arguments of a schema tool come back as the text of an answer that stopped", () => {
  const { restore } = ask();
  const made = translateBody(body(use("a", { n: 7 })), {
    from: msgstyle,
    to: chatstyle,
    head,
    restore: restore(),
  }).body;
  expect(first(made)).toMatchObject({ finish_reason: "stop", message: { content: '{"n":7}' } });
  expect(first(made)).not.toHaveProperty("message.tool_calls");
});

test("the arguments of a schema tool come in the pieces that they came in", () => {
  const events: Event[] = [
    { type: "start" },
    { type: "open", index: 0, part: { type: "call", id: "a", name: "count" } },
    { type: "delta", index: 0, text: '{"n"' },
    { type: "delta", index: 0, text: ":7}" },
    { type: "close", index: 0 },
    { type: "finish", reason: "tool_calls", raw: "tool_use" },
  ];
  const chunks = run(
    msgstyle.reply.encode(head, () => {}),
    events,
  );
  const { restore } = ask();
  const written = run(
    translateChunks({ from: msgstyle, to: chatstyle, head, restore: restore() }),
    chunks as Json[],
  );
  const pieces = written.map((chunk) => first(chunk as JsonObject)?.delta as JsonObject | undefined);
  expect(pieces.flatMap((delta) => (delta?.content ? [delta.content] : []))).toEqual(['{"n"', ":7}"]);
  expect(JSON.stringify(written)).not.toContain("tool_calls");
});

test("no arguments are an empty object, a second answer is left out, and a cut answer stays cut", () => {
  const { restore } = ask();
  const twice = run(
    restore(),
    run(msgstyle.reply.decode(), msgstyle.reply.burst(body(use("a", {}), use("b", {})))),
  );
  expect(fold(twice).choices).toMatchObject([
    { parts: [{ type: "text", text: "{}" }], finish: { reason: "stop" } },
  ]);
  const cut = { ...body(use("a", { n: 7 })), stop_reason: "max_tokens" };
  const reply = fold(run(restore(), run(msgstyle.reply.decode(), msgstyle.reply.burst(cut))));
  expect(reply.choices[0]?.finish?.reason).toBe("length");
});
