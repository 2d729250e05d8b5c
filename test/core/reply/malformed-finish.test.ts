import { type AnyCodec, codecs, parseWire, TranslatedReply, writeChunk } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, it } from "vitest";
import { every, head } from "../../laws/fixtures.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const { genstyle, conversestyle } = codecs;

/** Words of providers for output of the model that is no answer. */
const words: [AnyCodec, string][] = [
  [genstyle, "MALFORMED_FUNCTION_CALL"],
  [genstyle, "UNEXPECTED_TOOL_CALL"],
  [genstyle, "TOO_MANY_TOOL_CALLS"],
  [genstyle, "MALFORMED_RESPONSE"],
  [genstyle, "MISSING_THOUGHT_SIGNATURE"],
  [conversestyle, "malformed_tool_use"],
  [conversestyle, "malformed_model_output"],
];
const wordsAs = (saysMalformed: boolean): [string, string, AnyCodec, string, AnyCodec][] =>
  words.flatMap(([from, word]) =>
    every
      .filter(({ reply }) => (reply.saysMalformed === true) === saysMalformed)
      .map((to): [string, string, AnyCodec, string, AnyCodec] => [word, to.protocol, from, word, to]),
  );

const chunksOf = (from: AnyCodec, word: string): Json[] =>
  from === genstyle
    ? [
        { candidates: [{ content: { parts: [{ text: "I look." }] } }] },
        {
          candidates: [{ finishReason: word, finishMessage: "print(x)" }],
          usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 4, totalTokenCount: 34 },
        },
      ]
    : [
        { messageStart: { role: "assistant" } },
        { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "I look." } } },
        { contentBlockStop: { contentBlockIndex: 0 } },
        { messageStop: { stopReason: word } },
        { metadata: { usage: { inputTokens: 30, outputTokens: 4, totalTokens: 34 } } },
      ];
const bodyOf = (from: AnyCodec, word: string): JsonObject =>
  from === genstyle
    ? { candidates: [{ finishReason: word }], usageMetadata: { promptTokenCount: 30 } }
    : {
        output: { message: { role: "assistant", content: [] } },
        stopReason: word,
        usage: { inputTokens: 30, outputTokens: 0, totalTokens: 30 },
      };

function streamed(from: AnyCodec, word: string, to: AnyCodec) {
  const reply = new TranslatedReply(from, to, head);
  const bytes = encode(
    chunksOf(from, word)
      .map((chunk) => writeChunk(chunk, from))
      .join(""),
  );
  return { text: reply.push(bytes) + reply.finish(), observation: reply.observation() };
}

describe("a reply whose output is malformed", () => {
  it.each(wordsAs(false))("ends a stream as an error, after its text and usage: %s for %s", (...row) => {
    const [, , from, word, to] = row;
    const { text, observation } = streamed(from, word, to);
    expect(text).toContain("I look.");
    expect(text).toContain(`finish reason \\"${word}\\"`);
    expect(text).not.toMatch(/end_turn|"stop"|message_stop|response\.completed|finishReason":"(stop|other)/);
    expect(observation).toMatchObject({
      usage: { input: 30, output: 4 },
      failure: { status: 502, code: word },
    });
    expect(observation.finish).toBeUndefined();
  });

  it.each(wordsAs(false))("is answered by an error: %s for %s", (_, _to, from, word, to) => {
    const reply = new TranslatedReply(from, to, head);
    const { status, body } = reply.parsed(200, parseWire(JSON.stringify(bodyOf(from, word))));
    expect(status).toBe(502);
    expect(JSON.stringify(body)).toContain(word);
  });

  it.each(wordsAs(true))("is told in the word of a wire that has one: %s for %s", (...row) => {
    const [, , from, word, to] = row;
    const { text, observation } = streamed(from, word, to);
    expect(text).toContain(
      from === to ? word : to === genstyle ? "MALFORMED_FUNCTION_CALL" : "malformed_model_output",
    );
    expect(observation).toMatchObject({ finish: { reason: "malformed", raw: word } });
    expect(observation.failure).toBeUndefined();
  });

  it("gives the vendor's explanation", () => {
    const { text } = streamed(genstyle, "MALFORMED_FUNCTION_CALL", codecs.chatstyle);
    expect(text).toContain('MALFORMED_FUNCTION_CALL\\": print(x)');
  });

  it("is an error of a connection that breaks behind it", () => {
    const reply = new TranslatedReply(genstyle, codecs.msgstyle, head);
    const [, last] = chunksOf(genstyle, "MALFORMED_FUNCTION_CALL") as [Json, Json];
    reply.push(encode(writeChunk(last, genstyle)));
    reply.finish("It broke off.");
    expect(reply.observation()).toMatchObject({ failure: { status: 502 } });
  });
});
