import { long, open, type Table } from "./table.ts";

const rsCall = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" };
const rsOut = { type: "function_call_output", call_id: "c1", output: "a" };
export const responses: Table = {
  path: "/v1/responses",
  base: { model: "sim-text", input: "q" },
  rows: [
    ["unknown field", { provider: {} }, "Unknown parameter: 'provider'."],
    ["another protocol's fields", { stop: ["a"] }, "Unknown parameter: 'stop'."],
    [
      "usage option",
      { stream: true, stream_options: { include_usage: true } },
      "Unknown parameter: 'stream_options.include_usage'.",
    ],
    [
      "nested tool",
      { tools: [{ type: "function", function: { name: "f" } }] },
      /^Unknown parameter: 'tools\[0\].function'|^Missing required parameter: 'tools\[0\].name'/,
    ],
    [
      "image object",
      { input: [{ role: "user", content: [{ type: "input_image", image_url: { url: "https://a.test" } }] }] },
      /^Invalid type for 'input\[0\].content\[0\].image_url': expected a string/,
    ],
    [
      "input part of an assistant",
      { input: [{ role: "assistant", content: [{ type: "input_text", text: "a" }] }] },
      "Invalid value: 'input_text'. Supported values are: 'output_text', 'refusal'.",
    ],
    ["unknown item", { input: [{ type: "thought" }] }, /^Invalid value: 'thought'/],
    [
      "small limit",
      { max_output_tokens: 15 },
      /^Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16/,
    ],
    [
      "long call id",
      { input: [{ ...rsCall, call_id: long }] },
      /^Invalid 'input\[0\].call_id': string too long. Expected a string with maximum length 64/,
    ],
    [
      "foreign item id",
      { input: [{ ...rsCall, id: "toolu_1" }, rsOut] },
      "Invalid 'input[0].id': 'toolu_1'. Expected an ID that begins with 'fc'.",
    ],
    [
      "output without call",
      { input: [rsOut] },
      "No tool call found for function call output with call_id c1.",
    ],
    ["call without output", { input: [rsCall] }, "No tool output found for function call c1."],
    [
      "lonely reasoning",
      { input: [{ type: "reasoning", id: "rs_1", summary: [] }] },
      "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    ],
    [
      "foreign seal",
      { input: [{ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "abc" }, rsCall, rsOut] },
      /could not be verified/,
    ],
    ["unknown previous", { previous_response_id: "resp_x" }, "Previous response with id 'resp_x' not found."],
    [
      "unnamed format",
      { text: { format: { type: "json_schema", schema: open } } },
      "Missing required parameter: 'text.format.name'.",
    ],
    ["forced without tools", { tool_choice: "required" }, /must be specified with 'tools'/],
  ],
};
