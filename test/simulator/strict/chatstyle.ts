import { WEATHER } from "../setup.ts";
import { long, open, q, type Table } from "./table.ts";

const cs = (content: unknown) => ({ messages: [{ role: "user", content }] });
const csCall = (id: string, args = "{}") => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "f", arguments: args } }],
});
const csTool = { type: "function", function: { name: "f" } };
export const chatstyle: Table = {
  path: "/v1/chat/completions",
  base: { model: "sim-text", messages: [q] },
  rows: [
    ["unknown field", { provider: "x" }, "Unknown parameter: 'provider'."],
    ["another protocol's field", { stop_sequences: ["a"] }, "Unknown parameter: 'stop_sequences'."],
    [
      "unknown part field",
      cs([{ type: "text", text: "a", cache_control: {} }]),
      "Unknown parameter: 'messages[0].content[0].cache_control'.",
    ],
    ["no messages", { messages: undefined }, "Missing required parameter: 'messages'."],
    [
      "unknown role",
      { messages: [{ role: "model", content: "a" }] },
      /^Invalid value: 'model'. Supported values are: 'system'/,
    ],
    [
      "unknown part",
      cs([{ type: "video_url" }]),
      /^Invalid value: 'video_url'. Supported values are: 'text', 'image_url'/,
    ],
    [
      "wrong type",
      { temperature: "1" },
      "Invalid type for 'temperature': expected a decimal, but got a string instead.",
    ],
    [
      "out of range",
      { temperature: 3 },
      "Invalid 'temperature': integer above maximum value. Expected a value <= 2, but got 3 instead.",
    ],
    ["unknown effort", { reasoning_effort: "huge" }, /^Invalid value: 'huge'. Supported values are: 'none'/],
    ["no tools in the list", { tools: [] }, /^Invalid 'tools': empty array/],
    [
      "choice without tools",
      { tool_choice: "auto" },
      /'tool_choice' is only allowed when 'tools' are specified/,
    ],
    [
      "parallel without tools",
      { parallel_tool_calls: true },
      /'parallel_tool_calls' is only allowed when 'tools'/,
    ],
    [
      "choice of no tool",
      { tools: [csTool], tool_choice: { type: "function", function: { name: "g" } } },
      "Tool choice 'g' not found in 'tools' parameter.",
    ],
    ["tool of another kind", { tools: [{ type: "web_search" }] }, /^Invalid value: 'web_search'/],
    [
      "tool name",
      { tools: [{ type: "function", function: { name: "a.b" } }] },
      /^Invalid 'tools\[0\].function.name': string does not match pattern/,
    ],
    [
      "five stops",
      { stop: ["1", "2", "3", "4", "5"] },
      /^Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length 5/,
    ],
    [
      "long call id",
      { messages: [q, csCall(long)] },
      /^Invalid 'messages\[1\].tool_calls\[0\].id': string too long. Expected a string with maximum length 40/,
    ],
    [
      "call without result",
      { messages: [q, csCall("c1"), q] },
      /must be followed by tool messages responding to each 'tool_call_id'.*: c1$/,
    ],
    [
      "result without call",
      { messages: [q, { role: "tool", tool_call_id: "c", content: "" }] },
      /role 'tool' must be a response to a preceeding message/,
    ],
    ["null content", { messages: [q, { role: "assistant", content: null }] }, /messages\[1\].content/],
    [
      "object arguments",
      {
        messages: [
          q,
          {
            role: "assistant",
            tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: {} } }],
          },
        ],
      },
      /^Invalid type for 'messages\[1\].tool_calls\[0\].function.arguments': expected a string/,
    ],
    [
      "stream options without stream",
      { stream_options: { include_usage: true } },
      /'stream_options' parameter is only allowed when 'stream'/,
    ],
    ["two limits", { max_tokens: 1, max_completion_tokens: 1 }, /at the same time/],
    [
      "bad image",
      cs([{ type: "image_url", image_url: { url: "image.png" } }]),
      /^Invalid 'messages\[0\].content\[0\].image_url.url'/,
    ],
    [
      "file without name",
      cs([{ type: "file", file: { file_data: "data:application/pdf;base64,JVBERi0=" } }]),
      /file.filename/,
    ],
    ["json without the word", { response_format: { type: "json_object" } }, /must contain the word 'json'/],
    [
      "open strict schema",
      { response_format: { type: "json_schema", json_schema: { name: "a", strict: true, schema: open } } },
      /'additionalProperties' is required to be supplied and to be false/,
    ],
    [
      "optional in strict tool",
      {
        tools: [
          {
            type: "function",
            function: { name: "f", strict: true, parameters: { ...WEATHER, additionalProperties: false } },
          },
        ],
      },
      /Missing 'unit'/,
    ],
    [
      "unnamed schema",
      { response_format: { type: "json_schema", json_schema: { schema: open } } },
      "Missing required parameter: 'response_format.json_schema.name'.",
    ],
    [
      "old server, new field",
      { model: "sim-text-old", reasoning_effort: "low" },
      /^Unsupported parameter: 'reasoning_effort'/,
    ],
    [
      "old server, new role",
      { model: "sim-text-old", messages: [{ role: "developer", content: "a" }] },
      /^Invalid value: 'developer'/,
    ],
    ["new model, old limit", { model: "sim-text-new", max_tokens: 5 }, /Use 'max_completion_tokens' instead/],
    ["new model, sampling", { model: "sim-text-new", temperature: 0.5 }, /^Unsupported value: 'temperature'/],
    [
      "strict, no arguments",
      {
        model: "sim-text-strict",
        messages: [q, csCall("c", ""), { role: "tool", tool_call_id: "c", content: "a" }],
      },
      /must be the text of a JSON object/,
    ],
  ],
};
