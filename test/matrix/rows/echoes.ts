import type { Chapter } from "../feature.ts";

const sealed = "RXJBQ0NvdW50ZXI=";
const thought = "I need the weather.";
const cs = { id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } };

/** What only the provider can read, and wants back in the second turn, in the middle of a tool loop. */
export const echoes: Chapter = {
  title: "The second turn",
  way: "echo",
  features: [
    {
      name: "The state of the model's thinking",
      word: sealed,
      said: {
        chatstyle: {
          choices: [
            {
              message: {
                content: null,
                tool_calls: [{ ...cs, extra_content: { google: { thought_signature: sealed } } }],
              },
              finish_reason: "tool_calls",
            },
          ],
        },
        responses: {
          output: [
            { type: "reasoning", id: "rs_1", summary: [], encrypted_content: sealed },
            {
              type: "function_call",
              id: "fc_1",
              call_id: "call_1",
              name: "weather",
              arguments: "{}",
              status: "completed",
            },
          ],
        },
        msgstyle: {
          content: [
            { type: "thinking", thinking: thought, signature: sealed },
            { type: "tool_use", id: "call_1", name: "weather", input: {} },
          ],
          stop_reason: "tool_use",
        },
        genstyle: {
          candidates: [
            {
              content: { parts: [{ functionCall: { name: "weather", args: {} }, thoughtSignature: sealed }] },
            },
          ],
        },
      },
    },
    {
      name: "The text of the answer",
      word: thought,
      said: {
        chatstyle: { choices: [{ message: { content: thought } }] },
        responses: {
          output: [
            {
              type: "message",
              role: "assistant",
              id: "msg_1",
              status: "completed",
              content: [{ type: "output_text", text: thought, annotations: [] }],
            },
          ],
        },
        msgstyle: { content: [{ type: "text", text: thought }] },
        genstyle: { candidates: [{ content: { parts: [{ text: thought }] } }] },
      },
      alike: { responses: { input: [{ role: "assistant", content: thought }] } },
    },
    {
      name: "The call that the result answers",
      said: {
        chatstyle: {
          choices: [{ message: { content: null, tool_calls: [cs] }, finish_reason: "tool_calls" }],
        },
        responses: {
          output: [
            {
              type: "function_call",
              id: "fc_1",
              call_id: "call_1",
              name: "weather",
              arguments: "{}",
              status: "completed",
            },
          ],
        },
        msgstyle: {
          content: [{ type: "tool_use", id: "call_1", name: "weather", input: {} }],
          stop_reason: "tool_use",
        },
        genstyle: { candidates: [{ content: { parts: [{ functionCall: { name: "weather", args: {} } }] } }] },
      },
    },
  ],
};
