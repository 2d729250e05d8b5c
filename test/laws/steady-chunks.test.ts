import { type AnyCodec, codecs, parseWire } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ReplyReader } from "../../packages/core/src/reply/reply-reader.ts";

/** Makes the chunk that has these words in its place. */
type Shape = (words: string) => Json;

const choice = (index: number, delta: Json, more: object = {}): Json => ({
  id: "chatcmpl-1",
  model: "m",
  choices: [{ index, delta, finish_reason: null }],
  ...more,
});
const call = (index: number, words: string, more: object = {}): Json =>
  choice(0, { tool_calls: [{ index, ...more, function: { arguments: words } }] });
const usage = { usage: { prompt_tokens: 3, completion_tokens: 5 } };
const CHAT: Shape[] = [
  (words) => choice(0, { role: "assistant", content: words }),
  (words) => choice(0, { content: words }),
  (words) => choice(1, { content: words }),
  (words) => choice(0, { content: words }, usage),
  (words) => choice(0, { reasoning_content: words }),
  (words) => choice(0, { reasoning: words, content: "" }),
  (words) => choice(0, { reasoning_details: [{ type: "reasoning.text", text: words, index: 0 }] }),
  (words) => choice(0, { reasoning_details: [{ type: "reasoning.text", text: words }] }),
  (words) =>
    choice(0, { reasoning_details: [{ type: "reasoning.text", text: words, signature: "s", index: 0 }] }),
  (words) => choice(0, { refusal: words }),
  (words) => choice(0, { content: [{ type: "text", text: words }] }),
  (words) => call(0, words, { id: "call_a", type: "function" }),
  (words) => call(0, words),
  (words) => call(1, words),
  (words) => ({
    choices: [
      { index: 0, delta: { content: words } },
      { index: 1, delta: { content: "b" } },
    ],
  }),
  (words) => ({ choices: [{ index: 0, delta: { content: words }, finish_reason: "stop" }] }),
  () => ({ choices: [], ...usage }),
  (words) => ({ error: { message: words } }),
];

const block = (index: number, type: string, member: string, words: string): Json => ({
  type: "content_block_delta",
  index,
  delta: { type, [member]: words },
});
const start = (index: number, content_block: Json): Json => ({
  type: "content_block_start",
  index,
  content_block,
});
const MESSAGES: Shape[] = [
  () => ({ type: "message_start", message: { id: "msg_1", model: "m", usage: { input_tokens: 3 } } }),
  (words) => start(0, { type: "text", text: words }),
  (words) => start(1, { type: "thinking", thinking: words }),
  () => start(2, { type: "tool_use", id: "toolu_1", name: "look", input: {} }),
  () => start(2, { type: "server_tool_use", id: "toolu_2", name: "web_search", input: {} }),
  (words) => block(0, "text_delta", "text", words),
  (words) => block(1, "thinking_delta", "thinking", words),
  (words) => block(1, "signature_delta", "signature", words),
  (words) => block(2, "input_json_delta", "partial_json", words),
  () => ({ type: "content_block_stop", index: 0 }),
  () => ({ type: "content_block_stop", index: 2 }),
  () => ({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } }),
  () => ({ type: "message_stop" }),
  (words) => ({ type: "error", error: { type: "overloaded_error", message: words } }),
];

/** Words of a chunk. Some are escaped, empty or half a character. */
const words = fc.constantFrom("a", "a", "1", " ", "", "é", '"', "\n", "\ud83d", "\ude00");
/** Chunks of one shape, after which some servers repeat all of their words, in that shape or another. */
const runsOf = (shapes: readonly Shape[]): fc.Arbitrary<Json[]> =>
  fc
    .record({
      shape: fc.constantFrom(...shapes),
      said: fc.array(words, { minLength: 1, maxLength: 6 }),
      echo: fc.option(fc.constantFrom(...shapes), { nil: undefined }),
      isSame: fc.boolean(),
    })
    .map(({ shape, said, echo, isSame }) => [
      ...said.map(shape),
      ...(echo ? [(isSame ? shape : echo)(said.join(""))] : []),
    ]);
const textsOf = (shapes: readonly Shape[]): fc.Arbitrary<string[]> =>
  fc
    .array(runsOf(shapes), { minLength: 1, maxLength: 8 })
    .map((runs) => runs.flat().map((chunk) => JSON.stringify(chunk)));

/** Expects of chunks that are read by their words what they give one by one. */
function expectSame(codec: AnyCodec, texts: readonly string[]): void {
  const quick = new ReplyReader(codec);
  const careful = new ReplyReader(codec);
  for (const text of texts) expect(quick.read({ data: text })).toEqual(careful.step(parseWire(text) as Json));
  expect(quick.end()).toEqual(careful.end());
  expect(quick.observation).toEqual(careful.observation);
}

const wires: [string, AnyCodec, Shape[]][] = [
  ["chatstyle", codecs.chatstyle, CHAT],
  ["msgstyle", codecs.msgstyle, MESSAGES],
];

describe.each(wires)("%s", (_, codec, shapes) => {
  test("chunks that differ by their words alone give the events that they give when each is read", () => {
    fc.assert(
      fc.property(textsOf(shapes), (texts) => expectSame(codec, texts)),
      { numRuns: 1_000 },
    );
  });

  test("words that go on are not read as JSON", () => {
    const { words } = codec.reply.decode();
    expect(words).toBeDefined();
  });
});

test("a thought that begins with the same words twice keeps both", () => {
  const reader = new ReplyReader(codecs.chatstyle);
  const texts = ["ha", "ha", "!"].map((said) => JSON.stringify(choice(0, { reasoning_content: said })));
  const events = texts.flatMap((text) => reader.read({ data: text }) ?? []);
  expect(events.flatMap((event) => (event.type === "delta" ? [event.text] : []))).toEqual(["ha", "ha", "!"]);
});

test("arguments that begin with spaces are not taken for none", () => {
  const piece = (said: string) => block(2, "input_json_delta", "partial_json", said);
  const chunks = [
    start(2, { type: "tool_use", id: "toolu_1", name: "look", input: {} }),
    ...[" ", " ", "1"].map(piece),
    { type: "content_block_stop", index: 2 },
  ];
  expectSame(
    codecs.msgstyle,
    chunks.map((chunk) => JSON.stringify(chunk)),
  );
});
