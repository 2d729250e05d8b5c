import { type JsonObject, parseArguments } from "@manifold-gateway/core/codec";
import type { Chapter } from "../feature.ts";

/** A step of the conversation: the calls that the model made, and what came of them. */
interface Step {
  id: string;
  args: string;
  /** The answer in each protocol's words; a text where nothing else is said. */
  cs?: JsonObject;
  rs?: JsonObject;
  ms?: JsonObject;
  gs?: JsonObject;
}

const sunny = "It is sunny.";
const schema = { type: "object", properties: { city: { type: "string" } } };
const hi = { role: "user", content: "Hello." };

const chatstyle = (steps: Step[]): JsonObject => ({
  tools: [{ type: "function", function: { name: "weather", parameters: schema } }],
  messages: [
    hi,
    {
      role: "assistant",
      tool_calls: steps.map(({ id, args }) => ({
        id,
        type: "function",
        function: { name: "weather", arguments: args },
      })),
    },
    ...steps.map(({ id, cs }) => ({ role: "tool", tool_call_id: id, content: sunny, ...cs })),
  ],
});
const responses = (steps: Step[]): JsonObject => ({
  tools: [{ type: "function", name: "weather", parameters: schema }],
  input: [
    hi,
    ...steps.map(({ id, args }) => ({
      type: "function_call",
      call_id: id,
      name: "weather",
      arguments: args,
    })),
    ...steps.map(({ id, rs }) => ({ type: "function_call_output", call_id: id, output: sunny, ...rs })),
  ],
});
const msgstyle = (steps: Step[]): JsonObject => ({
  tools: [{ name: "weather", input_schema: schema }],
  messages: [
    hi,
    {
      role: "assistant",
      content: steps.map(({ id, args }) => ({
        type: "tool_use",
        id,
        name: "weather",
        input: parseArguments(args) as JsonObject,
      })),
    },
    {
      role: "user",
      content: steps.map(({ id, ms }) => ({ type: "tool_result", tool_use_id: id, content: sunny, ...ms })),
    },
  ],
});
const genstyle = (steps: Step[]): JsonObject => ({
  tools: [{ functionDeclarations: [{ name: "weather", parametersJsonSchema: schema }] }],
  contents: [
    { role: "user", parts: [{ text: "Hello." }] },
    {
      role: "model",
      parts: steps.map(({ args }) => ({
        functionCall: { name: "weather", args: parseArguments(args) as JsonObject },
      })),
    },
    {
      role: "user",
      parts: steps.map(({ gs }) => ({
        functionResponse: { name: "weather", response: { output: sunny }, ...gs },
      })),
    },
  ],
});
const everywhere = (...steps: Step[]) => ({
  chatstyle: chatstyle(steps),
  responses: responses(steps),
  msgstyle: msgstyle(steps),
  genstyle: genstyle(steps),
});

const one: Step = { id: "call_0", args: '{"city":"Bern"}' };
const two: Step = { id: "call_1", args: '{"city":"Rome"}' };
const exact = '{"n":9007199254740993}';
const broken: Step = {
  ...one,
  ms: { is_error: true, content: "No such city." },
  gs: { response: { error: "No such city." } },
};
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const shown: Step = {
  ...one,
  rs: { output: [{ type: "input_image", image_url: `data:image/png;base64,${png}` }] },
  ms: { content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: png } }] },
  gs: { response: { output: "" }, parts: [{ inlineData: { mimeType: "image/png", data: png } }] },
};

/** What tools were used for before. */
export const calls: Chapter = {
  title: "Calls and their results",
  way: "ask",
  features: [
    { name: "A call and its result", word: sunny, said: everywhere(one) },
    { name: "Parallel calls", word: "Rome", said: everywhere(one, two) },
    {
      name: "Long integers in arguments",
      word: "9007199254740993",
      said: everywhere({ ...one, args: exact }),
    },
    {
      name: "A result that says that the tool failed",
      word: "No such city.",
      said: { msgstyle: msgstyle([broken]), genstyle: genstyle([broken]) },
    },
    {
      name: "An image in a result",
      word: png,
      said: { responses: responses([shown]), msgstyle: msgstyle([shown]), genstyle: genstyle([shown]) },
    },
  ],
};
