import {
  type AnyCodec,
  chatstyle,
  codecs,
  genstyle,
  msgstyle,
  responses,
  TranslatedReply,
  writeChunk,
} from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";
import { head } from "../../laws/fixtures.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const reply = (finishReason: string, parts: JsonObject[] = [], finishMessage?: string): JsonObject => ({
  candidates: [{ content: { role: "model", parts }, finishReason, ...(finishMessage && { finishMessage }) }],
  usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
});
const thoughts: JsonObject = { text: "hm", thought: true };

function read(body: JsonObject, to: AnyCodec, from: AnyCodec = genstyle as AnyCodec) {
  const whole = new TranslatedReply(from, to, head);
  const { status } = whole.whole(200, {}, bytes(JSON.stringify(body)));
  const streamed = new TranslatedReply(from, to, head);
  const chunks = from.reply.burst(body).map((chunk) => writeChunk(chunk, from));
  const text = streamed.push(bytes(chunks.join(""))) + streamed.finish();
  expect(streamed.observation().failure).toEqual(whole.observation().failure);
  return { status, failure: whole.observation().failure, text };
}

describe.each([chatstyle, responses, msgstyle].map((codec) => [codec.protocol, codec as AnyCodec] as const))(
  "a reply without content for a caller of %s",
  (_, to) => {
    test.each([
      "MALFORMED_FUNCTION_CALL",
      "UNEXPECTED_TOOL_CALL",
      "MISSING_THOUGHT_SIGNATURE",
      "OTHER",
      "NEW",
    ])("that ends with %s is an error that clients repeat, in words of the vendor", (word) => {
      const { status, failure, text } = read(reply(word, [thoughts, { text: "" }], "Unknown tool: f"), to);
      expect(status).toBe(502);
      expect(failure).toMatchObject({ kind: "unavailable", code: word });
      expect(failure?.message).toContain("Unknown tool: f");
      expect(text).toContain("Unknown tool: f");
    });

    test.each<[string, JsonObject[]]>([
      ["STOP", []],
      ["MAX_TOKENS", [thoughts]],
      ["SAFETY", []],
      ["MALFORMED_FUNCTION_CALL", [{ text: "I will look." }]],
      ["UNEXPECTED_TOOL_CALL", [{ functionCall: { name: "f", args: {} } }]],
    ])("that ends with %s is an answer, with %j", (word, parts) => {
      expect(read(reply(word, parts), to)).toMatchObject({ status: 200, failure: undefined });
    });
  },
);

test("callers whose wire has a word for the fault get the word", () => {
  const body = reply("MALFORMED_FUNCTION_CALL");
  expect(read(body, codecs.conversestyle as AnyCodec)).toMatchObject({ status: 200, failure: undefined });
  expect(read(body, codecs.native as AnyCodec).text).toContain("malformed_tool_call");
  const malformed = {
    output: { message: { role: "assistant", content: [] } },
    stopReason: "malformed_tool_use",
  };
  expect(read(malformed, genstyle as AnyCodec, codecs.conversestyle as AnyCodec).text).toContain(
    "MALFORMED_FUNCTION_CALL",
  );
  expect(read(malformed, msgstyle as AnyCodec, codecs.conversestyle as AnyCodec).status).toBe(502);
});

test("a call of an undeclared tool is a call", () => {
  const { text } = read(
    reply("UNEXPECTED_TOOL_CALL", [{ functionCall: { name: "f", args: {} } }]),
    chatstyle as AnyCodec,
  );
  expect(text).toContain('"finish_reason":"tool_calls"');
});
