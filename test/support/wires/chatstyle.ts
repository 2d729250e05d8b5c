import { DONE } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import {
  type CallerWire,
  call,
  hi,
  list,
  messages,
  model,
  more,
  object,
  question,
  says,
  schema,
  tool,
  turn,
  type UpstreamWire,
  under,
} from "./wire.ts";

const chat = { id: "chatcmpl-1", created: 1_760_000_000, model: "up" };
const part = (delta: JsonObject, finish: string | null, report?: Json): Json => ({
  ...chat,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...under("usage", report),
});
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };

export const chatstyle: UpstreamWire & CallerWire = {
  ask: (model, stream) => ["/api/chatstyle/v1/chat/completions", { model, stream, messages }],
  request: { model, messages: [{ role: "user", content: hi }], max_completion_tokens: 2000 },
  reply: {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
    usage: { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 },
  },
  echo: {
    said: (body) => ({ messages: [object(list(body.choices)[0]?.message)] }),
    next(body) {
      const message = object(list(body.choices)[0]?.message);
      const results = list(message.tool_calls).map(
        ({ id }): JsonObject => ({ role: "tool", tool_call_id: id as Json, content: "Sunny." }),
      );
      return {
        ...chatstyle.request,
        tools: [{ type: "function", function: { name: "weather", parameters: schema } }],
        messages: [turn("user", hi), message, ...results, turn("user", more)],
      };
    },
  },
  wishes: {
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
  report: {
    full: {
      prompt_tokens: 40,
      completion_tokens: 20,
      total_tokens: 60,
      prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 4, audio_tokens: 3, image_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 1, image_tokens: 3 },
      prompt_cache_hit_tokens: 10,
      cache_creation_input_tokens: 4,
    },
    body: (report) => ({
      ...chat,
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: says }, finish_reason: "stop" }],
      ...under("usage", report),
    }),
    chunks: (early, late) => [part({ content: says }, null, early), part({}, "stop", late), DONE],
  },
  cut: (message) => ({
    content: [
      { id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "Hi" } }] },
    ],
    failure: { error: { message, code: 401 } },
  }),
  bill: ({ input, output }) => ({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  }),
  ended: (end, calls) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      {
        index: 0,
        message: calls
          ? { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: call }] }
          : { role: "assistant", content: "Said." },
        ...(end !== undefined && { finish_reason: end }),
      },
    ],
    usage,
  }),
  empty: { choices: [{ index: 0, message: { role: "assistant", content: null } }], usage },
  named: (name) => [
    {
      id: "c",
      model: name,
      choices: [{ index: 0, delta: { role: "assistant", content: `"model":"${name}"` } }],
    },
    { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }], model: name },
    DONE,
  ],
  error: (message, own) => ({ error: { message, type: "invalid_request_error", param: "messages", ...own } }),
};
