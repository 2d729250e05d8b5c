import { PNG } from "../setup.ts";
import type { Table } from "./table.ts";

export const gs = (...contents: object[]) => ({ contents });
export const turn = (role: string, ...parts: object[]) => ({ role, parts });
export const hi = turn("user", { text: "q" });
const call = (name = "f") => ({
  functionCall: { name, args: {} },
  thoughtSignature: "skip_thought_signature_validator",
});
export const response = (name = "f") => ({ functionResponse: { name, response: {} } });
const declare = (parameters: object) => ({ tools: [{ functionDeclarations: [{ name: "f", parameters }] }] });
export const genstyle: Table = {
  path: "/v1beta/models/sim-text:generateContent",
  base: gs(hi),
  rows: [
    [
      "unknown field",
      { provider: "x" },
      'Invalid JSON payload received. Unknown name "provider": Cannot find field.',
    ],
    [
      "unknown keyword",
      declare({ type: "OBJECT", properties: { a: { type: "STRING" } }, additionalProperties: false }),
      "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters': Cannot find field.",
    ],
    [
      "unknown keyword below",
      declare({ type: "OBJECT", properties: { a: { const: 1 } } }),
      /Unknown name "const" at 'tools\[0\].function_declarations\[0\].parameters.properties\[a\]'/,
    ],
    [
      "list of types",
      declare({ type: "OBJECT", properties: { a: { type: ["string", "null"] } } }),
      /^Invalid value at 'tools\[0\].function_declarations\[0\].parameters.properties\[a\].type'/,
    ],
    [
      "array of nothing",
      declare({ type: "OBJECT", properties: { a: { type: "ARRAY" } } }),
      /parameters.properties\[a\].items: missing field/,
    ],
    ["empty object", declare({ type: "OBJECT", properties: {} }), /should be non-empty for OBJECT type/],
    [
      "required of no property",
      declare({ type: "OBJECT", properties: { a: { type: "STRING" } }, required: ["b"] }),
      /required\[0\]: property is not defined/,
    ],
    [
      "format",
      declare({ type: "OBJECT", properties: { a: { type: "STRING", format: "uuid" } } }),
      /only 'enum' and 'date-time' are supported for STRING type/,
    ],
    [
      "number in an enum",
      declare({ type: "OBJECT", properties: { a: { type: "INTEGER", enum: [1] } } }),
      /^Invalid value at .*enum\[0\]' \(TYPE_STRING\)/,
    ],
    ["no contents", { contents: [] }, "* GenerateContentRequest.contents: contents is not specified"],
    [
      "empty part",
      gs(turn("user", {})),
      /parts\[0\].data: required oneof field 'data' must have one initialized field/,
    ],
    ["empty text", gs(turn("user", { text: "" })), /required oneof field 'data'/],
    [
      "two data",
      gs(turn("user", { text: "a", inlineData: { mimeType: "image/png", data: PNG } })),
      /oneof field 'data' is already set/,
    ],
    [
      "unknown part field",
      gs(turn("user", { text: "a", type: "text" })),
      "Invalid JSON payload received. Unknown name \"type\" at 'contents[0].parts[0]': Cannot find field.",
    ],
    ["role", gs(turn("assistant", { text: "a" })), "Please use a valid role: user, model."],
    ["bare system", { systemInstruction: "a" }, /^Invalid value at 'system_instruction'/],
    [
      "level and budget",
      { generationConfig: { thinkingConfig: { thinkingLevel: "LOW", thinkingBudget: 1 } } },
      "You can only set only one of thinking budget and thinking level.",
    ],
    [
      "schema without type",
      { generationConfig: { responseSchema: { type: "STRING" } } },
      /only allowed when response_mime_type is 'application\/json'/,
    ],
    ["hot", { generationConfig: { temperature: 3 } }, /generation_config.temperature: must be at most 2/],
    [
      "six stops",
      { generationConfig: { stopSequences: [..."abcdef"] } },
      /stop_sequences: must be at most 5/,
    ],
    [
      "names without ANY",
      { toolConfig: { functionCallingConfig: { allowedFunctionNames: ["f"] } } },
      /allowed_function_names while mode is not ANY/,
    ],
    [
      "no signature",
      gs(hi, turn("model", { functionCall: { name: "f" } }), turn("user", response())),
      /Function call is missing a thought_signature/,
    ],
    [
      "foreign signature",
      gs(hi, turn("model", { ...call(), thoughtSignature: "Zm9v" }), turn("user", response())),
      "Thought signature is not valid.",
    ],
    [
      "one of two responses",
      gs(hi, turn("model", call(), call()), turn("user", response())),
      /number of function response parts is equal/,
    ],
    ["response without call", gs(hi, turn("user", response())), /immediately after a function call turn/],
    [
      "text instead of response",
      gs(hi, turn("model", call()), hi),
      /number of function response parts is equal/,
    ],
    ["call first", gs(turn("model", call()), turn("user", response())), /immediately after a user turn/],
    [
      "response by id, not name",
      gs(hi, turn("model", call()), turn("user", response("call_1"))),
      /'call_1' was not called/,
    ],
    ["nameless response", gs(hi, turn("model", call()), turn("user", response(""))), /Name cannot be empty/],
    [
      "text response",
      gs(hi, turn("model", call()), turn("user", { functionResponse: { name: "f", response: "a" } })),
      /^Invalid value at 'contents\[2\].parts\[0\].function_response.response'/,
    ],
    [
      "bad base64",
      gs(turn("user", { inlineData: { mimeType: "image/png", data: "data:image/png;base64,AA" } })),
      /Base64 decoding failed/,
    ],
    [
      "cached content",
      { cachedContent: "cachedContents/a" },
      "CachedContent not found (or permission denied)",
    ],
  ],
};
