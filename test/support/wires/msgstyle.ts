import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import {
  called,
  hi,
  list,
  messages,
  model,
  more,
  question,
  says,
  schema,
  turn,
  type UpstreamWire,
  under,
} from "./wire.ts";

const message = { id: "msg_1", type: "message", role: "assistant", model: "up" };
const ended = { stop_reason: "end_turn", stop_sequence: null };

export const msgstyle: UpstreamWire = {
  ask: (model, stream) => ["/api/msgstyle/v1/messages", { model, stream, max_tokens: 100, messages }],
  request: { model, messages: [{ role: "user", content: hi }], max_tokens: 2000 },
  reply: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 4, output_tokens: 3 },
  },
  echo: {
    said: ({ content }) => ({ messages: [turn("assistant", content ?? [])] }),
    next({ content }) {
      const results = called(list(content), "tool_use").map(
        ({ id }): JsonObject => ({ type: "tool_result", tool_use_id: id as Json, content: "Sunny." }),
      );
      const asked = turn("user", [...results, { type: "text", text: more }]);
      const turns = [turn("user", hi), turn("assistant", content ?? []), asked];
      return { ...msgstyle.request, tools: [{ name: "weather", input_schema: schema }], messages: turns };
    },
  },
  objectArguments: true,
  wishes: {
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
  report: {
    full: {
      input_tokens: 26,
      output_tokens: 20,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 4,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 1 },
      output_tokens_details: { thinking_tokens: 5 },
      iterations: [{ type: "compaction", input_tokens: 7, output_tokens: 8, cache_read_input_tokens: 1 }],
    },
    body: (report) => ({
      ...message,
      content: [{ type: "text", text: says }],
      ...ended,
      ...under("usage", report),
    }),
    chunks: (early, late): JsonObject[] => [
      { type: "message_start", message: { ...message, content: [], ...under("usage", early) } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: says } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: ended, ...under("usage", late) },
      { type: "message_stop" },
    ],
  },
  cut: (message) => ({
    content: [
      { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
    ],
    failure: { type: "error", error: { type: "authentication_error", message } },
  }),
  bill: ({ input, output, searches }) => ({
    input_tokens: input,
    output_tokens: output,
    server_tool_use: { web_search_requests: searches },
  }),
  ended: (end, calls) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      calls ? { type: "tool_use", id: "c1", name: "look", input: {} } : { type: "text", text: "Said." },
    ],
    ...(end !== undefined && { stop_reason: end }),
    usage: { input_tokens: 3, output_tokens: 4 },
  }),
  empty: { usage: { input_tokens: 3, output_tokens: 4 } },
  named: (name) => [
    { type: "message_start", message: { id: "m", role: "assistant", content: [], model: name } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: name } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    { type: "message_stop" },
  ],
  error: (message, own) => ({ type: "error", error: { type: "invalid_request_error", message, ...own } }),
};
