import {
  chatstyle,
  encodeRequest,
  genstyle,
  msgstyle,
  responses,
  translateBody,
  translateRequest,
} from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Message } from "@manifold-gateway/core/ir";
import { knownTraits } from "@manifold-gateway/providers";
import { expect, test } from "vitest";
import { asked } from "./text-request.ts";

const head = { id: "x", model: "m", created: 1 };
const answer = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [
    {
      index: 0,
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: null,
        reasoning_content: "Let me look.",
        tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }],
      },
    },
  ],
};
type List = JsonObject[];

/** The second request of a tool loop: each caller sends back what it got, and a result. */
const loops = {
  msgstyle: () => {
    const content = translateBody(answer, { from: chatstyle, to: msgstyle, head }).body.content as List;
    const result = { type: "tool_result", tool_use_id: content.at(-1)?.id as string, content: "sun" };
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", content },
      { role: "user", content: [result] },
    ];
    return msgstyle.request.decode(msgstyle.request.schema.parse({ model: "m", max_tokens: 9, messages }));
  },
  responses: () => {
    const output = translateBody(answer, { from: chatstyle, to: responses, head }).body.output as List;
    const result = { type: "function_call_output", call_id: output.at(-1)?.call_id as string, output: "sun" };
    const input = [{ role: "user", content: "hi" }, ...output, result];
    return responses.request.decode(responses.request.schema.parse({ model: "m", input }));
  },
  genstyle: () => {
    const [candidate] = translateBody(answer, { from: chatstyle, to: genstyle, head }).body
      .candidates as List;
    const result = { functionResponse: { name: "look", response: { output: "sun" } } };
    const contents = [
      { role: "user", parts: [{ text: "hi" }] },
      candidate?.content as JsonObject,
      { role: "user", parts: [result] },
    ];
    return genstyle.request.decode(genstyle.request.schema.parse({ contents }));
  },
};

test.each(Object.entries(loops))(
  "a model that insists on its thoughts gets them in the second round of a caller of %s",
  (_, loop) => {
    const { wire } = encodeRequest(loop(), chatstyle, knownTraits("deepseek-v4-pro"));
    expect((wire.messages as List)[1]).toMatchObject({
      role: "assistant",
      reasoning_content: "Let me look.",
      tool_calls: [{ function: { name: "look" } }],
    });
  },
);

test.each(["deepseek-v4-pro", "kimi-k2.6", "glm-5.3", "xiaomi/mimo-v2.5-pro"])(
  "%s gets back the thoughts of a turn with calls",
  (model) => {
    const { wire, losses } = encodeRequest(loops.msgstyle(), chatstyle, knownTraits(model));
    expect((wire.messages as List)[1]).toMatchObject({ reasoning_content: "Let me look." });
    expect(losses.filter(({ path }) => path.startsWith("/messages"))).toEqual([]);
  },
);

test("the responses wire of such a model gets thoughts as text", () => {
  const request = asked([
    { role: "user", parts: [{ type: "text", text: "hi" }] },
    {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "Hm." },
        { type: "call", id: "c1", name: "look", arguments: "{}" },
      ],
    },
    { role: "user", parts: [{ type: "result", id: "c1", parts: [] }] },
  ]);
  const written = (model: string) =>
    JSON.stringify(encodeRequest(request, responses, knownTraits(model)).wire);
  expect(written("deepseek-v4-pro")).toContain('{"type":"reasoning_text","text":"Hm."}');
  expect(written("gpt-5.6")).not.toContain("Hm.");
});

test("system texts at the head are one string where the model takes one system message", () => {
  const system = (text: string): Message => ({ role: "system", parts: [{ type: "text", text }] });
  const request = asked([system("a"), system("b"), { role: "user", parts: [{ type: "text", text: "hi" }] }]);
  const { wire } = encodeRequest(request, chatstyle, knownTraits("MiniMax-M2"));
  expect((wire.messages as List)[0]).toEqual({ role: "system", content: "a\n\nb" });
});

test.each([
  [[], []],
  [[{ type: "summary_text", text: "In short." }], ["/input/1/content"]],
])("a thought's raw text that is sent back is no loss: beside the summary %j", (summary, lost) => {
  const thought = { type: "reasoning", summary, content: [{ type: "reasoning_text", text: "Let me look." }] };
  const call = { type: "function_call", call_id: "1", name: "look", arguments: "{}" };
  const result = { type: "function_call_output", call_id: "1", output: "sun" };
  const { wire, losses } = translateRequest(
    { model: "m", input: [{ role: "user", content: "hi" }, thought, call, result] },
    { from: responses, to: chatstyle, traits: { reasoningBack: "calls" } },
  );
  const said = summary[0]?.text ?? "Let me look.";
  expect((wire.messages as List)[1]).toMatchObject({ reasoning_content: said });
  expect(losses.map(({ path }) => path)).toEqual(lost);
});
