import { isObject, type Json, type JsonObject } from "@manifold/core";
import type { Surface, Upstream } from "./feature.ts";

const hi = "Hello.";
const model = "a-model";

/** The smallest request of each protocol. A limit is in all of them, because some demand one. */
export const requests: Record<Surface, JsonObject> = {
  chatstyle: { model, messages: [{ role: "user", content: hi }], max_completion_tokens: 2000 },
  responses: { model, input: hi, max_output_tokens: 2000 },
  msgstyle: { model, messages: [{ role: "user", content: hi }], max_tokens: 2000 },
  genstyle: {
    contents: [{ role: "user", parts: [{ text: hi }] }],
    generationConfig: { maxOutputTokens: 2000 },
  },
  native: { model, messages: [{ role: "user", content: hi }], maxTokens: 2000 },
};

/** The smallest reply of each protocol that is spoken upstream. */
export const replies: Record<Upstream, JsonObject> = {
  chatstyle: {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
    usage: { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 },
  },
  responses: {
    id: "resp_1",
    object: "response",
    created_at: 1_700_000_000,
    model,
    status: "completed",
    output: [],
    usage: { input_tokens: 4, output_tokens: 3, total_tokens: 7 },
  },
  msgstyle: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 4, output_tokens: 3 },
  },
  genstyle: {
    responseId: "r-1",
    modelVersion: model,
    candidates: [{ index: 0, content: { role: "model", parts: [{ text: "Hi." }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 3, totalTokenCount: 7 },
  },
};

const object = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const list = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.map(object) : []);
const called = (nodes: JsonObject[], type: string): JsonObject[] =>
  nodes.filter((node) => node.type === type);

const schema = { type: "object", properties: {} };
const tools: Record<Upstream, JsonObject> = {
  chatstyle: { tools: [{ type: "function", function: { name: "weather", parameters: schema } }] },
  responses: { tools: [{ type: "function", name: "weather", parameters: schema }] },
  msgstyle: { tools: [{ name: "weather", input_schema: schema }] },
  genstyle: { tools: [{ functionDeclarations: [{ name: "weather", parametersJsonSchema: schema }] }] },
};

/** What clients of a protocol do with a reply: the turns to send back as they came, and the answers of their tools. */
export interface Echo {
  said(body: JsonObject): JsonObject;
  next(body: JsonObject): JsonObject;
}

const more = "And now?";
const turn = (role: string, content: Json): JsonObject => ({ role, content });

/** The native interface has no calls, and so no second turn that needs anything back. */
export const echoes: Record<Upstream, Echo> = {
  chatstyle: {
    said: (body) => ({ messages: [object(list(body.choices)[0]?.message)] }),
    next(body) {
      const message = object(list(body.choices)[0]?.message);
      const results = list(message.tool_calls).map(
        ({ id }): JsonObject => ({ role: "tool", tool_call_id: id as Json, content: "Sunny." }),
      );
      return {
        ...requests.chatstyle,
        ...tools.chatstyle,
        messages: [turn("user", hi), message, ...results, turn("user", more)],
      };
    },
  },
  responses: {
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
        ...requests.responses,
        ...tools.responses,
        input: [turn("user", hi), ...list(output), ...results, turn("user", more)],
      };
    },
  },
  msgstyle: {
    said: ({ content }) => ({ messages: [turn("assistant", content ?? [])] }),
    next({ content }) {
      const results = called(list(content), "tool_use").map(
        ({ id }): JsonObject => ({ type: "tool_result", tool_use_id: id as Json, content: "Sunny." }),
      );
      const asked = turn("user", [...results, { type: "text", text: more }]);
      const turns = [turn("user", hi), turn("assistant", content ?? []), asked];
      return { ...requests.msgstyle, ...tools.msgstyle, messages: turns };
    },
  },
  genstyle: {
    said: (body) => ({ contents: [object(list(body.candidates)[0]?.content)] }),
    next(body) {
      const content = object(list(body.candidates)[0]?.content);
      const results = list(content.parts).flatMap(({ functionCall }): JsonObject[] => {
        if (!isObject(functionCall)) return [];
        const { id, name } = functionCall;
        const which = { ...(id !== undefined && { id }), name: name as Json };
        return [{ functionResponse: { ...which, response: { output: "Sunny." } } }];
      });
      const [first] = list(requests.genstyle.contents);
      return {
        ...requests.genstyle,
        ...tools.genstyle,
        contents: [first as JsonObject, content, { role: "user", parts: [...results, { text: more }] }],
      };
    },
  },
};
