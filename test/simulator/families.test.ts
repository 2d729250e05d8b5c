import { expect, test } from "vitest";
import { FAMILIES } from "../../packages/simulator/src/families/index.ts";
import { stage } from "./setup.ts";

const set = stage();

const hi = { role: "user", content: "hi" };
const f = { type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } };
const call = (id = "abcdefghi") => ({
  role: "assistant",
  tool_calls: [{ id, type: "function", function: { name: "f", arguments: "{}" } }],
});
const result = (id = "abcdefghi") => ({ role: "tool", tool_call_id: id, content: "a" });
const chat = (...messages: object[]) => ({ messages });
const contents = [{ role: "user", parts: [{ text: "hi" }] }];
const gemini = (generationConfig: object) => ({ generationConfig });
const functions = { tools: [{ functionDeclarations: [{ name: "f" }] }] };
const plainTool = { tools: [{ name: "f", input_schema: { type: "object" } }] };

type Rows = [model: string, given: object, says: string | undefined][];

/** What is refused by which family, and beside each what it takes. */
const messages: Rows = [
  [
    "claude-sonnet-4-5",
    { temperature: 0.7, top_p: 0.9 },
    "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
  ],
  ["claude-sonnet-4-20250514", { temperature: 0.7, top_p: 0.9 }, undefined],
  ["claude-4-5", { output_config: { effort: "low" } }, "This model does not support the effort parameter."],
  ["claude-opus-4-5", { output_config: { effort: "low" } }, undefined],
  [
    "claude-opus-4-6",
    { output_config: { effort: "xhigh" } },
    "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.",
  ],
  ["claude-opus-4-7", { temperature: 0.2 }, "`temperature` is deprecated for this model."],
  [
    "claude-fable-5-1",
    { thinking: { type: "disabled" } },
    '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  ],
  [
    "claude-opus-5",
    { thinking: { type: "disabled" }, output_config: { effort: "max" } },
    '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  ],
  ["claude-opus-5", { thinking: { type: "disabled" } }, undefined],
  [
    "claude-sonnet-5-5",
    { thinking: { type: "disabled" } },
    '"thinking.type.disabled" is not supported for this model. Use "thinking.type.between_tools" to control thinking behavior.',
  ],
  [
    "claude-sonnet-4.5",
    chat(hi, { role: "assistant", content: "a" }, { role: "system", content: "s" }),
    "role 'system' is not supported on this model",
  ],
  [
    "claude-opus-4-8",
    chat(hi, { role: "system", content: "s" }, hi),
    "messages.1: role 'system' must precede an 'assistant' message or end the array",
  ],
  ["claude-opus-4-8", chat(hi, { role: "system", content: "s" }), undefined],
  [
    "claude-opus-5-5",
    { ...plainTool, tool_choice: { type: "any" } },
    "tool_choice forces tool use is not compatible with this model.",
  ],
  [
    "claude-opus-4-6",
    chat(hi, { role: "assistant", content: "a" }),
    "This model does not support assistant message prefill. The conversation must end with a user message.",
  ],
  [
    "claude-3-5-haiku-latest",
    { max_tokens: 10_000 },
    "max_tokens: 10000 > 8192, which is the maximum allowed number of output tokens for sim-as-claude-3-5-haiku-latest",
  ],
];

const completions: Rows = [
  [
    "gpt-5-mini",
    { temperature: 0.2 },
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
  ],
  ["gpt-5-mini", { temperature: 1 }, undefined],
  ["gpt-5.1", { temperature: 0.2 }, undefined],
  [
    "gpt-5.1",
    { temperature: 0.2, reasoning_effort: "low" },
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
  ],
  ["gpt-5-mini", { stop: ["END"] }, "Unsupported parameter: 'stop' is not supported with this model."],
  [
    "gpt-5-mini",
    { max_tokens: 9 },
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ],
  [
    "gpt-5.1",
    { reasoning_effort: "max" },
    "Unsupported value: 'max' is not supported with the 'sim-as-gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'.",
  ],
  [
    "o4-mini",
    { reasoning_effort: "none" },
    "Unsupported value: 'none' is not supported with the 'sim-as-o4-mini' model. Supported values are: 'low', 'medium', and 'high'.",
  ],
  [
    "gpt-4o",
    { reasoning_effort: "low" },
    "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
  ],
  [
    "gpt-5.6-luna",
    { tools: [f] },
    "Function tools with reasoning_effort are not supported for sim-as-gpt-5.6-luna in /v1/chat/completions. Please use /v1/responses or set reasoning_effort to 'none'.",
  ],
  ["gpt-5.6-luna", { tools: [f], reasoning_effort: "none" }, undefined],
  ["gpt-5.4", { tools: [f] }, undefined],
  [
    "gpt-6-astra",
    { tools: [f] },
    "Function tools with reasoning_effort are not supported for sim-as-gpt-6-astra in /v1/chat/completions. Please use /v1/responses.",
  ],
  [
    "deepseek-v4-pro",
    chat({ role: "developer", content: "a" }, hi),
    "Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`",
  ],
  [
    "deepseek-v4-pro",
    { response_format: { type: "json_schema", json_schema: { name: "a", schema: {} } } },
    "This response_format type is unavailable now",
  ],
  [
    "deepseek-v4-pro",
    { tools: [f], ...chat(hi, call(), result()) },
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
  ],
  [
    "deepseek-v4-pro",
    { tools: [f], thinking: { type: "disabled" }, ...chat(hi, call(), result()) },
    undefined,
  ],
  [
    "mistral-large-latest",
    { tools: [f], ...chat(hi, call("call_1"), result("call_1")) },
    "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.",
  ],
  [
    "mistral-large-latest",
    { tools: [f], ...chat(hi, call(), result(), hi) },
    "Unexpected role 'user' after role 'tool'",
  ],
  ["mistral-large-latest", { temperature: 0, top_p: 0.5 }, "top_p must be 1 when using greedy sampling."],
  ["kimi-k2.6", { temperature: 0.2 }, "invalid temperature: only 1 is allowed for this model"],
  ["kimi-k2.6", { temperature: 0.6, thinking: { type: "disabled" } }, undefined],
  [
    "kimi-k2.6",
    chat(hi, { role: "assistant", content: "" }, hi),
    "the message at position 1 with role 'assistant' must not be empty",
  ],
  [
    "kimi-k2.6",
    { tools: [f], ...chat(hi, call(), result()) },
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1",
  ],
  [
    "glm-5.3",
    { reasoning_effort: "medium" },
    "reasoning_effort medium is not supported, please use low, high, or max",
  ],
  [
    "minimax-m2",
    chat(hi, { role: "system", content: "a" }, hi),
    "invalid params, chat content has invalid message role: system (2013)",
  ],
  [
    "qwen3.6-plus",
    { tools: [f], tool_choice: "required" },
    "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
  ],
];

const generations: Rows = [
  [
    "gemini-2.0-flash",
    gemini({ thinkingConfig: { includeThoughts: true } }),
    "Thinking is not enabled for models/sim-as-gemini-2.0-flash",
  ],
  [
    "gemini-2.5-pro",
    gemini({ thinkingConfig: { thinkingBudget: 0 } }),
    "Budget 0 is invalid. This model only works in thinking mode.",
  ],
  [
    "gemini-2.5-flash-lite",
    gemini({ thinkingConfig: { thinkingBudget: 100 } }),
    "The thinking budget (100) is invalid. Please choose a value between 512 and 24576.",
  ],
  [
    "gemini-2.5-flash",
    gemini({ thinkingConfig: { thinkingLevel: "LOW" } }),
    "Thinking level is not supported for this model.",
  ],
  [
    "gemini-3.1-pro-preview",
    gemini({ thinkingConfig: { thinkingLevel: "MINIMAL" } }),
    "Thinking level MINIMAL is not supported for this model.",
  ],
  ["gemini-3-flash-preview", gemini({ thinkingConfig: { thinkingLevel: "MINIMAL" } }), undefined],
  [
    "gemini-2.5-flash",
    { ...functions, ...gemini({ responseMimeType: "application/json" }) },
    "Function calling with a response mime type: 'application/json' is unsupported",
  ],
  [
    "gemini-3-flash-preview",
    { ...functions, ...gemini({ responseMimeType: "application/json" }) },
    undefined,
  ],
  [
    "gemini-2.5-flash",
    { tools: [...functions.tools, { googleSearch: {} }] },
    "Built-in tools ({google_search}) and Function Calling cannot be combined in the same request.",
  ],
  [
    "gemini-2.5-flash",
    gemini({ candidateCount: 2 }),
    "Multiple candidates is not enabled for models/sim-as-gemini-2.5-flash",
  ],
];

const wires = {
  messages: { rows: messages, base: { messages: [hi], max_tokens: 4000 } },
  completions: { rows: completions, base: { messages: [hi] } },
  generations: { rows: generations, base: { contents } },
};
const pathOf = (wire: string, model: string): string =>
  wire === "messages"
    ? "/v1/messages"
    : wire === "completions"
      ? "/v1/chat/completions"
      : `/v1beta/models/${model}:generateContent`;

for (const [wire, { rows, base }] of Object.entries(wires))
  test.each(rows)(
    `a model that stands for %s answers %j on ${wire} as its vendor does`,
    async (name, given, says) => {
      const model = `sim-as-${name}`;
      const body = wire === "generations" ? { ...base, ...given } : { model, ...base, ...given };
      const answer = await set.post(pathOf(wire, model), body);
      const { error, message } = (await answer.json()) as { error?: { message: string }; message?: string };
      const text = error?.message ?? message;
      expect([answer.status, text ?? undefined]).toEqual(says === undefined ? [200, undefined] : [400, says]);
    },
  );

test.each([
  [
    "mistral-large-latest",
    { seed: 7 },
    422,
    { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] },
  ],
  [
    "mistral-large-latest",
    chat(hi, { role: "assistant", content: "a" }),
    400,
    {
      object: "error",
      message:
        "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",
      type: "invalid_request_error",
      param: null,
      code: null,
    },
  ],
  [
    "grok-4.20-0309-reasoning",
    { reasoning_effort: "low" },
    400,
    {
      code: "Client specified an invalid argument",
      error: "Model sim-as-grok-4.20-0309-reasoning does not support parameter reasoningEffort.",
    },
  ],
  [
    "minimax-m2",
    { n: 2 },
    400,
    {
      type: "error",
      error: { type: "bad_request_error", message: "invalid params, n must be 1 (2013)", http_code: "400" },
    },
  ],
])("%s refuses %j in the form of its vendor", async (name, given, status, body) => {
  const answer = await set.post("/v1/chat/completions", {
    model: `sim-as-${name}`,
    messages: [hi],
    ...given,
  });
  expect([answer.status, await answer.json()]).toEqual([status, body]);
});

test("a family that thinks shows its thoughts, which the next turn has to bring back", async () => {
  const first = {
    model: "sim-as/deepseek-v4-pro",
    tools: [f],
    messages: [{ role: "user", content: "[[call:f {}]]" }],
  };
  const { message } = (await (await set.post("/v1/chat/completions", first)).json()).choices[0];
  expect(message.reasoning_content).toMatch(/^Thinking about/);
  const results = message.tool_calls.map(({ id }: { id: string }) => result(id));
  const turn = { ...first, messages: [...first.messages, message, ...results] };
  expect((await set.post("/v1/chat/completions", turn)).status).toBe(200);
});

test("every family is found by its own name", () => {
  const found = FAMILIES.map(({ name }) => FAMILIES.find(({ names }) => names.test(name))?.name);
  expect(found).toEqual(FAMILIES.map(({ name }) => name));
});
