/**
 * A chat request becomes a request of the messages protocol, and what the target cannot say is told as losses
 * rather than dropped in silence. The reply then travels the other way. This is all that a program needs which
 * speaks one protocol and wants to reach a model behind another: no gateway, no network.
 */
import assert from "node:assert/strict";
import { chatstyle, msgstyle, translateBody, translateRequest } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";

const request: JsonObject = {
  model: "some-model",
  max_completion_tokens: 256,
  seed: 7,
  messages: [
    { role: "system", content: "Answer in one word." },
    { role: "user", content: "What is the weather in Oslo?" },
  ],
  tools: [
    {
      type: "function",
      function: {
        name: "weather",
        description: "The weather of a city",
        parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
    },
  ],
};

const { wire, losses, restore } = translateRequest(request, { from: chatstyle, to: msgstyle });
console.log(JSON.stringify(wire, null, 2));
for (const { path, why, detail } of losses)
  console.log(`loss: ${path} ${why}${detail ? ` (${detail})` : ""}`);

assert.equal(wire.max_tokens, 256);
assert.match(JSON.stringify(wire.system), /Answer in one word/);
const [tool] = wire.tools as JsonObject[];
assert.equal(tool?.name, "weather");
assert.deepEqual(
  losses.map((loss) => loss.path),
  ["/seed"],
);

const answer: Json = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "some-model",
  content: [{ type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Oslo" } }],
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: { input_tokens: 40, output_tokens: 9 },
};
const head = { id: "1", model: "some-model", created: 0 };
const body = translateBody(answer, { from: msgstyle, to: chatstyle, head, restore: restore() }).body;
console.log(JSON.stringify(body, null, 2));

const [choice] = body.choices as {
  finish_reason: string;
  message: { tool_calls: { function: JsonObject }[] };
}[];
assert.equal(choice?.finish_reason, "tool_calls");
assert.equal(choice.message.tool_calls[0]?.function.name, "weather");
assert.deepEqual(JSON.parse(String(choice.message.tool_calls[0]?.function.arguments)), { city: "Oslo" });
