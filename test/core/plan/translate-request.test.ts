import { chatstyle, genstyle, msgstyle, Rejection, translateRequest } from "@manifold-gateway/core";
import type OpenAI from "openai";
import { expect, it } from "vitest";

it("a request of an SDK's type is translated as it is", () => {
  const asked: OpenAI.ChatCompletionCreateParams = {
    model: "m",
    max_completion_tokens: 9,
    temperature: undefined,
    messages: [{ role: "user", content: "Hello", name: undefined as never }],
    tools: [{ type: "function", function: { name: "look", parameters: { type: "object" } } }],
  };
  const { wire, losses } = translateRequest(asked, { from: chatstyle, to: msgstyle });
  expect(losses).toEqual([]);
  expect(wire).toMatchObject({ model: "m", max_tokens: 9, tools: [{ name: "look" }] });
});

it("a request that names its model in its path is translated for the one that the program names", () => {
  const asked = { contents: [{ role: "user", parts: [{ text: "Hello" }] }] };
  const { wire } = translateRequest(asked, { from: genstyle, to: chatstyle, model: "m", stream: true });
  expect(wire).toMatchObject({ model: "m", stream: true });
  expect(chatstyle.endpoint("m", true)).toBe("/chat/completions");
});

it.each([null, undefined, "text", [], 7])("%j is rejected as no request", (value) => {
  expect(() => translateRequest(value, { from: chatstyle, to: msgstyle })).toThrow(Rejection);
});

it("a request without a model is rejected without naming one", () => {
  expect(() => translateRequest({ messages: [] }, { from: chatstyle, to: msgstyle })).toThrow(
    /^model: (?!.*\(model)/,
  );
});
