import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { Chapter } from "../feature.ts";

/** A reply of each protocol with what matters of it, as each places it. */
const cs = (message: JsonObject, more: JsonObject = {}) => ({ choices: [{ message, ...more }] });
const rs = (...output: JsonObject[]) => ({ output });
const ms = (...content: JsonObject[]) => ({ content });
const gs = (parts: JsonObject[], more: JsonObject = {}) => ({
  candidates: [{ content: { parts }, ...more }],
});
const said = (text: string, more: JsonObject = {}) => ({
  type: "message",
  role: "assistant",
  status: "completed",
  id: "msg_1",
  content: [{ type: "output_text", text, annotations: [] as Json[], ...more }],
});

const fact = "Bern is the capital.";
const thought = "They ask about Switzerland.";
const sorry = "I cannot help with that.";
const url = "https://example.com/bern";
const args = '{"city":"Bern"}';
const call = (id: string, text = args) => ({
  id,
  type: "function",
  function: { name: "weather", arguments: text },
});
const item = (id: string, text = args) => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: id,
  name: "weather",
  arguments: text,
  status: "completed",
});
const use = (id: string, city = "Bern") => ({ type: "tool_use", id, name: "weather", input: { city } });
const want = (id: string, city = "Bern") => ({ functionCall: { id, name: "weather", args: { city } } });
const told = (id: string, text = args) => ({ id, name: "weather", arguments: text });
const rome = '{"city":"Rome"}';
const likely = { token: "Bern", logprob: -0.25 };
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEA";

/** What the model said. */
export const answers: Chapter = {
  title: "Answers",
  way: "answer",
  features: [
    {
      name: "Text",
      word: fact,
      said: {
        chatstyle: cs({ content: fact }),
        responses: rs(said(fact)),
        msgstyle: ms({ type: "text", text: fact }),
        genstyle: gs([{ text: fact }]),
        native: { delta: fact },
      },
    },
    {
      name: "A call",
      word: "weather",
      said: {
        chatstyle: cs({ content: null, tool_calls: [call("call_1")] }, { finish_reason: "tool_calls" }),
        responses: rs(item("call_1")),
        msgstyle: { ...ms(use("call_1")), stop_reason: "tool_use" },
        genstyle: gs([want("call_1")]),
        native: { toolCalls: [told("call_1")] },
      },
    },
    {
      name: "Several calls at once",
      word: "Rome",
      said: {
        chatstyle: cs(
          { content: null, tool_calls: [call("call_1"), call("call_2", rome)] },
          { finish_reason: "tool_calls" },
        ),
        responses: rs(item("call_1"), item("call_2", rome)),
        msgstyle: { ...ms(use("call_1"), use("call_2", "Rome")), stop_reason: "tool_use" },
        genstyle: gs([want("call_1"), want("call_2", "Rome")]),
        native: { toolCalls: [told("call_1"), told("call_2", rome)] },
      },
    },
    {
      name: "Thoughts",
      word: thought,
      said: {
        chatstyle: cs({ reasoning_content: thought, content: fact }),
        responses: rs(
          { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: thought }] },
          said(fact),
        ),
        msgstyle: ms({ type: "thinking", thinking: thought, signature: "" }, { type: "text", text: fact }),
        genstyle: gs([{ text: thought, thought: true }, { text: fact }]),
        native: { reasoning: thought, delta: fact },
      },
      alike: { msgstyle: ms({ type: "thinking", thinking: thought }, { type: "text", text: fact }) },
    },
    {
      name: "A refusal as text",
      word: sorry,
      said: {
        chatstyle: cs({ content: null, refusal: sorry }),
        responses: rs({ ...said(""), content: [{ type: "refusal", refusal: sorry }] }),
        msgstyle: { ...ms({ type: "text", text: sorry }), stop_reason: "refusal" },
      },
      alike: {
        chatstyle: cs({ content: sorry }, { finish_reason: "content_filter" }),
        responses: { ...rs(said(sorry)), incomplete_details: { reason: "content_filter" } },
        genstyle: gs([{ text: sorry }], { finishReason: "SAFETY" }),
        native: { delta: sorry, finishReason: "refusal" },
      },
    },
    {
      name: "Citations",
      word: url,
      said: {
        chatstyle: cs({
          content: fact,
          annotations: [
            { type: "url_citation", url_citation: { url, title: "Bern", start_index: 0, end_index: 20 } },
          ],
        }),
        responses: rs(
          said(fact, {
            annotations: [{ type: "url_citation", url, title: "Bern", start_index: 0, end_index: 20 }],
          }),
        ),
        msgstyle: ms({
          type: "text",
          text: fact,
          citations: [
            {
              type: "web_search_result_location",
              url,
              title: "Bern",
              cited_text: "Bern is",
              encrypted_index: "e",
            },
          ],
        }),
        genstyle: gs([{ text: fact }], {
          groundingMetadata: {
            groundingChunks: [{ web: { uri: url, title: "Bern" } }],
            groundingSupports: [{ segment: { endIndex: 20, text: fact }, groundingChunkIndices: [0] }],
          },
        }),
      },
    },
    {
      name: "Log probabilities",
      word: "0.25",
      said: {
        chatstyle: cs({ content: "Bern" }, { logprobs: { content: [likely], refusal: null } }),
        responses: rs(said("Bern", { logprobs: [likely] })),
        genstyle: gs([{ text: "Bern" }], {
          logprobsResult: { chosenCandidates: [{ token: "Bern", logProbability: -0.25 }] },
        }),
        native: { delta: "Bern", logprobs: [{ token: "Bern", logprob: -0.25 }] },
      },
    },
    {
      name: "A second candidate",
      word: "Or Zürich.",
      said: {
        chatstyle: {
          choices: [
            {},
            { index: 1, message: { role: "assistant", content: "Or Zürich." }, finish_reason: "stop" },
          ],
        },
        genstyle: {
          candidates: [
            {},
            { index: 1, content: { role: "model", parts: [{ text: "Or Zürich." }] }, finishReason: "STOP" },
          ],
        },
      },
    },
    {
      name: "An image",
      word: pixel,
      said: {
        chatstyle: cs({
          content: null,
          images: [{ type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } }],
        }),
        responses: rs({ type: "image_generation_call", id: "ig_1", status: "completed", result: pixel }),
        genstyle: gs([{ inlineData: { mimeType: "image/png", data: pixel } }]),
      },
    },
    {
      name: "Audio",
      word: wav,
      said: {
        chatstyle: cs({
          content: null,
          audio: { id: "audio_1", data: wav, transcript: fact, expires_at: 1 },
        }),
        genstyle: gs([{ inlineData: { mimeType: "audio/wav", data: wav } }]),
      },
      alike: { chatstyle: cs({ audio: { data: wav } }) },
    },
    {
      name: "Code that the provider ran",
      word: "print(2**40)",
      said: {
        genstyle: gs([{ executableCode: { language: "PYTHON", code: "print(2**40)" } }]),
        responses: rs({
          type: "code_interpreter_call",
          id: "ci_1",
          status: "completed",
          code: "print(2**40)",
        }),
        msgstyle: ms({
          type: "server_tool_use",
          id: "srvtoolu_1",
          name: "code_execution",
          input: { code: "print(2**40)" },
        }),
      },
    },
  ],
};
