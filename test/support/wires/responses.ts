import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { call, called, hi, list, model, more, says, schema, turn, type UpstreamWire } from "./wire.ts";

const response = (status: string, output: Json[], report: Json = null): JsonObject => ({
  id: "resp_1",
  object: "response",
  created_at: 1_760_000_000,
  model: "up",
  status,
  output,
  usage: report,
});
const item = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: says, annotations: [] }],
};

export const responses: UpstreamWire = {
  ask: (model, stream) => ["/api/chatstyle/v1/responses", { model, stream, input: "Hello" }],
  request: { model, input: hi, max_output_tokens: 2000 },
  reply: {
    id: "resp_1",
    object: "response",
    created_at: 1_700_000_000,
    model,
    status: "completed",
    output: [],
    usage: { input_tokens: 4, output_tokens: 3, total_tokens: 7 },
  },
  echo: {
    said: ({ output }) => ({ input: output ?? [] }),
    next({ output }) {
      const results = called(list(output), "function_call").map(
        ({ call_id }): JsonObject => ({
          type: "function_call_output",
          call_id: call_id as Json,
          output: "Sunny.",
        }),
      );
      return {
        ...responses.request,
        tools: [{ type: "function", name: "weather", parameters: schema }],
        input: [turn("user", hi), ...list(output), ...results, turn("user", more)],
      };
    },
  },
  wishes: {
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
  report: {
    full: {
      input_tokens: 40,
      output_tokens: 20,
      total_tokens: 60,
      input_tokens_details: { cached_tokens: 10, cache_write_tokens: 4 },
      output_tokens_details: { reasoning_tokens: 5 },
    },
    body: (report) => response("completed", [item], report),
    chunks: (_, late) => [
      { type: "response.created", response: response("in_progress", []), sequence_number: 0 },
      { type: "response.completed", response: response("completed", [item], late), sequence_number: 1 },
    ],
    once: true,
  },
  cut: (message) => ({
    content: [
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { id: "i", type: "message", content: [] },
      },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "i", delta: "Hi" },
    ],
    failure: { type: "error", code: "invalid_api_key", message, param: null },
  }),
  bill: ({ input, output }) => ({ input_tokens: input, output_tokens: output, total_tokens: input + output }),
  ended: (end, calls) => ({
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "m",
    ...(end !== undefined && { status: end }),
    output: [
      calls
        ? { type: "function_call", id: "fc_1", call_id: "c1", ...call }
        : { type: "message", role: "assistant", content: [{ type: "output_text", text: "Said." }] },
    ],
    usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
  }),
  empty: {
    object: "response",
    status: "in_progress",
    output: [],
    usage: { input_tokens: 3, output_tokens: 4 },
  },
  named: (name) => [
    { type: "response.created", response: { id: "r", model: name, output: [] } },
    { type: "response.output_text.delta", item_id: "m", delta: name },
    {
      type: "response.completed",
      response: {
        id: "r",
        status: "completed",
        metadata: { model: name },
        model: name,
        output: [
          { type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: name }] },
        ],
      },
    },
  ],
  error: (message, own) => ({ error: { message, type: "invalid_request_error", param: "messages", ...own } }),
};
