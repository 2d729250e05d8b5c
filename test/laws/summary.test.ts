import { type AnyCodec, chatstyle, observeBody } from "@manifold-gateway/core";
import { completions, fillInTheMiddle, type Json, type JsonObject } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { bodies, rows } from "./fixtures.ts";

/** What is observed of a body, or the error. */
function observed(codec: AnyCodec, body: Json): unknown {
  try {
    return observeBody(codec, body);
  } catch (error) {
    return String(error);
  }
}

/** The same without the codec's summary: by the events of the body. */
const byEvents = (codec: AnyCodec, body: Json): unknown =>
  observed({ ...codec, reply: { ...codec.reply, summary: () => undefined } }, body);

const text = fc.constantFrom<Json>("", "Said.", "größe 😀", null, 3, [], {});
const part = fc.constantFrom<Json>(
  { type: "text", text: "Said." },
  { type: "refusal", refusal: "No." },
  { type: "thinking", thinking: "Hm." },
  { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
);
const call = fc.constantFrom<Json>(
  { id: "c", type: "function", function: { name: "f", arguments: "{}" } },
  3,
);
const message = fc.record(
  {
    role: fc.constant("assistant"),
    content: fc.oneof(text, fc.array(part, { maxLength: 2 })),
    refusal: text,
    reasoning: text,
    reasoning_content: text,
    reasoning_details: fc.constantFrom<Json>([], null, [{ type: "reasoning.text", text: "Hm.", index: 0 }]),
    thinking_blocks: fc.constantFrom<Json>([], [{ type: "thinking", thinking: "Hm.", signature: "s" }]),
    images: fc.array(part, { maxLength: 1 }),
    tool_calls: fc.oneof(text, fc.array(call, { maxLength: 2 })),
    content_list: fc.constantFrom<Json>([], [{ type: "tool_use", tool_use: { name: "f", input: {} } }]),
    function_call: fc.constantFrom<Json>(null, { name: "f", arguments: "{}" }),
    audio: fc.constantFrom<Json>(null, { id: "a", data: "AAAA", transcript: "Said." }),
    annotations: fc.constantFrom<Json>([], [{ type: "url_citation", url_citation: { url: "http://a.b" } }]),
  },
  { requiredKeys: [] },
);
const choice = fc.record(
  {
    index: fc.constantFrom<Json>(0, 1, -1, "0", null),
    message: fc.oneof({ weight: 9, arbitrary: message }, text),
    delta: fc.oneof(message, fc.constant(null)),
    text: text,
    error: fc.constantFrom<Json>(null, "Broken.", { message: "Broken.", code: 502 }),
    usage: fc.constant({ prompt_tokens: 2, completion_tokens: 3 }),
    logprobs: fc.constantFrom<Json>(null, { content: [{ token: "S", logprob: -1 }] }),
    finish_reason: fc.constantFrom<Json>("stop", "length", "tool_calls", "odd", "", null, 3),
  },
  { requiredKeys: ["message"], noNullPrototype: true },
);
const usage = fc.constantFrom<Json>(
  null,
  { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
  { prompt_tokens: -5, completion_tokens: 7 },
  { prompt_tokens: 5 },
  { prompt_tokens: 5, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 4 }, cost: 0.1 },
);
const body = fc.record(
  {
    id: text,
    model: text,
    choices: fc.oneof(
      { weight: 9, arbitrary: fc.array(choice, { minLength: 1, maxLength: 1 }) },
      fc.array(fc.oneof(choice, text), { maxLength: 3 }),
      text,
    ),
    usage,
    x_vendor: fc.record({ usage }),
    error: fc.constantFrom<Json>(null, "Broken.", { message: "Broken.", code: 429 }),
    object: fc.constantFrom("chat.completion", "error"),
  },
  { requiredKeys: ["choices"] },
);

/** Answers in which nothing but a part without text decides how they end. */
const RARE = (
  [
    { audio: { id: "a", data: "AAAA" } },
    { function_call: { name: "f", arguments: "" } },
    { images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] },
  ] as Json[]
).map((message): [{ choices: Json }] => [{ choices: [{ message, finish_reason: "tool_calls" }] }]);

describe("summaries of bodies", () => {
  test.each(rows(bodies))("the summary of a body says what its events say: %s", (_, { codec, value }) =>
    expect(observed(codec, value)).toEqual(byEvents(codec, value)),
  );

  it.each([
    ["a chat", chatstyle],
    ["a completion", completions],
    ["a filled gap", fillInTheMiddle],
  ] as [string, AnyCodec][])(
    "the summary of %s says what its events say, whatever stands in it",
    (_, codec) => {
      fc.assert(
        fc.property(body, (value) => {
          const json = JSON.parse(JSON.stringify(value)) as JsonObject;
          expect(observed(codec, json)).toEqual(byEvents(codec, json));
        }),
        { numRuns: 3_000, examples: RARE },
      );
    },
  );

  it("a chat's message of text is summarized without making its events", () => {
    const decode = () => expect.fail("The body was decoded.");
    const codec = { ...chatstyle, reply: { ...chatstyle.reply, decode } } as unknown as AnyCodec;
    const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
    const choices = [{ index: 0, message: { role: "assistant", content: "Said." }, finish_reason: "stop" }];
    expect(observeBody(codec, { id: "c", model: "m", choices, usage })).toMatchObject({
      usage: { input: 5, output: 7 },
      finish: { reason: "stop", raw: "stop" },
      content: 5,
    });
  });
});
