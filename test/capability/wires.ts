import { type Ask, askOf, codecs, type JsonObject, type Protocol, traceOrigins } from "@manifold/core";

/** What a body of a protocol wants. */
export function asked(protocol: Protocol, wire: JsonObject): Ask {
  const codec = codecs[protocol];
  const origins = traceOrigins(codec.params);
  const parsed = codec.request.schema.parse(wire) as never;
  return askOf({ ...codec.request.decode(parsed, origins.trace), model: "m" }, { codec, wire, origins });
}
export const places = (ask: Ask): Record<string, string> =>
  Object.fromEntries(ask.params.filter(({ extra }) => !extra).map(({ name, path }) => [name, path]));

export const question = { role: "user", content: "Hi" };
export const schema = { type: "object", properties: {} };
export const tool = { type: "function", function: { name: "look", parameters: schema } };

/** The same wishes on every wire. */
export const wires: Record<Protocol, JsonObject> = {
  chatstyle: {
    model: "m",
    messages: [question],
    max_tokens: 10,
    temperature: 0,
    stop: "x",
    tools: [tool],
    tool_choice: "required",
    parallel_tool_calls: false,
    response_format: { type: "json_schema", json_schema: { name: "a", schema } },
    reasoning_effort: "high",
    n: 2,
    user: "u",
    temprature: 1,
  },
  responses: {
    model: "m",
    input: "Hi",
    max_output_tokens: 100,
    temperature: 0,
    tools: [{ type: "function", name: "look", parameters: schema }],
    tool_choice: "required",
    parallel_tool_calls: false,
    text: { format: { type: "json_schema", name: "a", schema }, verbosity: "low" },
    reasoning: { effort: "high", summary: "auto" },
    temprature: 1,
  },
  msgstyle: {
    model: "m",
    messages: [question],
    max_tokens: 10,
    temperature: 0,
    stop_sequences: ["x"],
    tools: [{ name: "look", input_schema: schema }],
    tool_choice: { type: "any", disable_parallel_tool_use: true },
    output_config: { format: { type: "json_schema", schema }, effort: "high" },
    thinking: { type: "enabled", budget_tokens: 2000 },
    metadata: { user_id: "u" },
    temprature: 1,
  },
  genstyle: {
    contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    tools: [{ functionDeclarations: [{ name: "look" }] }],
    toolConfig: { functionCallingConfig: { mode: "ANY" } },
    generationConfig: {
      maxOutputTokens: 10,
      temperature: 0,
      stopSequences: ["x"],
      candidateCount: 2,
      responseMimeType: "application/json",
      responseJsonSchema: schema,
      thinkingConfig: { thinkingBudget: 2000, includeThoughts: true },
      temprature: 1,
    },
  },
  native: {
    model: "m",
    messages: [question],
    maxTokens: 10,
    temperature: 0,
    stop: ["x"],
    tools: [tool],
    toolChoice: "required",
    parallelToolCalls: false,
    responseFormat: { type: "json_schema", jsonSchema: { schema } },
    reasoningEffort: "high",
    thinking: { type: "enabled", budgetTokens: 2000 },
  },
};
