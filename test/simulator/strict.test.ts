import { expect, test } from "vitest";
import { PNG, stage, WEATHER } from "./setup.ts";

const set = stage();

type Row = [what: string, given: object, says: string | RegExp];
interface Table {
  path: string;
  base: object;
  rows: Row[];
}

const cs = (content: unknown) => ({ messages: [{ role: "user", content }] });
const csCall = (id: string, args = "{}") => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "f", arguments: args } }],
});
const csTool = { type: "function", function: { name: "f" } };
const q = { role: "user", content: "q" };
const long = "x".repeat(80);
const open = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

const chatstyle: Table = {
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

const rsCall = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" };
const rsOut = { type: "function_call_output", call_id: "c1", output: "a" };
const responses: Table = {
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

const ms = (...messages: object[]) => ({ messages });
const use = (id = "t1") => ({ type: "tool_use", id, name: "f", input: {} });
const said = (...content: object[]) => ({ role: "assistant", content });
const asked = (...content: object[]) => ({ role: "user", content });
const result = (id = "t1") => ({ type: "tool_result", tool_use_id: id, content: "a" });
const text = (value: string) => ({ type: "text", text: value });
const f = { name: "f", input_schema: { type: "object" } };
const msgstyle: Table = {
  path: "/v1/messages",
  base: { model: "sim-text", max_tokens: 4000, messages: [q], tools: [f] },
  rows: [
    ["unknown field", { provider: "x" }, "provider: Extra inputs are not permitted"],
    ["another protocol's stop", { stop: "a" }, "stop: Extra inputs are not permitted"],
    ["no limit", { max_tokens: undefined }, "max_tokens: Field required"],
    ["hot", { temperature: 1.5 }, "temperature: Input should be less than or equal to 1"],
    ["wrong type", { max_tokens: "5" }, /^max_tokens: Input should be a valid/],
    [
      "unknown block",
      ms(asked({ type: "input_text" })),
      /^messages.0.content.0: Input tag 'input_text' found using 'type' does not match any of the expected tags: 'text', 'image'/,
    ],
    [
      "unknown block field",
      ms(asked({ ...text("a"), detail: 1 })),
      "messages.0.content.0.detail: Extra inputs are not permitted",
    ],
    ["empty text", ms(asked(text(""))), "messages: text content blocks must be non-empty"],
    ["blank text", ms(asked(text(" \n"))), "messages: text content blocks must contain non-whitespace text"],
    ["empty system", { system: [text("")] }, "system.0: text content blocks must be non-empty"],
    [
      "empty message",
      ms({ role: "user", content: "" }),
      /messages.0: all messages must have non-empty content/,
    ],
    ["assistant first", ms(said(text("a")), q), 'messages: first message must use the "user" role'],
    [
      "call without result",
      ms(q, said(use()), q),
      /`tool_use` ids were found without `tool_result` blocks immediately after: t1/,
    ],
    [
      "text before result",
      ms(q, said(use()), asked(text("a"), result())),
      /without `tool_result` blocks immediately after/,
    ],
    ["one of two results", ms(q, said(use("t1"), use("t2")), asked(result("t1"))), /immediately after: t2/],
    [
      "result without call",
      ms(asked(result("t9"))),
      /unexpected `tool_use_id` found in `tool_result` blocks: t9/,
    ],
    [
      "result twice",
      ms(q, said(use()), asked(result(), result())),
      /Found multiple `tool_result` blocks with id: t1/,
    ],
    ["call id twice", ms(q, said(use(), use()), asked(result())), /`tool_use` ids must be unique/],
    [
      "call id syntax",
      ms(q, said(use("a.b")), asked(result("a.b"))),
      /tool_use_id|content.0.id: String should match pattern/,
    ],
    [
      "text arguments",
      ms(q, said({ ...use(), input: "{}" }), asked(result())),
      "messages.1.content.0.input: Input should be a valid dictionary",
    ],
    [
      "history of a tool, no tools",
      { ...ms(q, said(use()), asked(result())), tools: undefined },
      /must define tools/,
    ],
    [
      "choice without tools",
      { tools: undefined, tool_choice: { type: "auto" } },
      "tool_choice may only be specified while providing tools.",
    ],
    ["choice as text", { tool_choice: "auto" }, /^tool_choice: Input should be a valid dictionary/],
    [
      "schema without type",
      { tools: [{ name: "f", input_schema: {} }] },
      /^tools.0.input_schema.type: Field required/,
    ],
    [
      "schema with a union on top",
      { tools: [{ ...f, input_schema: { type: "object", anyOf: [] } }] },
      /does not support oneOf, allOf, or anyOf at the top level/,
    ],
    ["another protocol's tool", { tools: [{ type: "function", function: { name: "f" } }] }, /^tools.0/],
    [
      "small budget",
      { thinking: { type: "enabled", budget_tokens: 100 } },
      "thinking.budget_tokens: Input should be greater than or equal to 1024",
    ],
    [
      "budget above limit",
      { thinking: { type: "enabled", budget_tokens: 4000 } },
      "`max_tokens` must be greater than `thinking.budget_tokens`.",
    ],
    [
      "forced call while thinking",
      { thinking: { type: "enabled", budget_tokens: 1024 }, tool_choice: { type: "any" } },
      "Thinking may not be enabled when tool_choice forces tool use.",
    ],
    [
      "temperature while thinking",
      { thinking: { type: "adaptive" }, temperature: 0.5 },
      /`temperature` may only be set to 1 when thinking is enabled/,
    ],
    ["top_k while thinking", { thinking: { type: "adaptive" }, top_k: 5 }, /`top_k` must be unset/],
    [
      "foreign signature",
      ms(q, said({ type: "thinking", thinking: "a", signature: "Zm9v" }, text("b")), q),
      "messages.1.content.0: Invalid `signature` in `thinking` block",
    ],
    [
      "five markers",
      { system: [..."abcde"].map((a) => ({ ...text(a), cache_control: { type: "ephemeral" } })) },
      "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ],
    [
      "image type",
      ms(asked({ type: "image", source: { type: "base64", media_type: "image/jpeg", data: PNG } })),
      /specified using the image\/jpeg media type, but it appears to be image\/png/,
    ],
    [
      "image of a kind unknown",
      ms(asked({ type: "image", source: { type: "base64", media_type: "image/jpg", data: PNG } })),
      /media_type: Input should be 'image\/jpeg'/,
    ],
    ["audio", ms(asked({ type: "input_audio", input_audio: {} })), /Input tag 'input_audio'/],
    [
      "blank stop",
      { stop_sequences: ["\n"] },
      "stop_sequences: each stop sequence must contain non-whitespace",
    ],
    [
      "open schema",
      { output_config: { format: { type: "json_schema", schema: open } } },
      /'additionalProperties' must be explicitly set to false/,
    ],
    [
      "bounded schema",
      { output_config: { format: { type: "json_schema", schema: { type: "integer", minimum: 1 } } } },
      "output_config.format.schema: For 'integer' type, property 'minimum' is not supported",
    ],
    [
      "trailing blank",
      ms(q, said(text("a "))),
      "messages: final assistant content cannot end with trailing whitespace",
    ],
    [
      "beta field without beta",
      { context_management: {} },
      "context_management: Extra inputs are not permitted",
    ],
    ["foreign tier", { service_tier: "flex" }, "service_tier: Input should be 'auto' or 'standard_only'"],
    ["metadata", { metadata: { a: "b" } }, "metadata.a: Extra inputs are not permitted"],
    [
      "new model, manual thinking",
      { model: "sim-text-new", thinking: { type: "enabled", budget_tokens: 1024 } },
      /thinking.type.enabled/,
    ],
    [
      "new model, prefill",
      { model: "sim-text-new", ...ms(q, said(text("a"))) },
      /does not support assistant message prefill/,
    ],
    [
      "old model, adaptive",
      { model: "sim-text-old", thinking: { type: "adaptive" } },
      "adaptive thinking is not supported on this model",
    ],
  ],
};

const gs = (...contents: object[]) => ({ contents });
const turn = (role: string, ...parts: object[]) => ({ role, parts });
const hi = turn("user", { text: "q" });
const call = (name = "f") => ({
  functionCall: { name, args: {} },
  thoughtSignature: "skip_thought_signature_validator",
});
const response = (name = "f") => ({ functionResponse: { name, response: {} } });
const declare = (parameters: object) => ({ tools: [{ functionDeclarations: [{ name: "f", parameters }] }] });
const genstyle: Table = {
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

const expected = (says: string | RegExp): unknown =>
  typeof says === "string" ? says : expect.stringMatching(says);
const message = (body: { error: { message: string } }): string => body.error.message;

for (const [protocol, { path, base, rows }] of Object.entries({ chatstyle, responses, msgstyle, genstyle }))
  test.each(rows)(`${protocol} refuses %s`, async (_, given, says) => {
    expect((await set.post(path, base)).status).toBe(200);
    const answer = await set.post(path, { ...base, ...given });
    const body = await answer.json();
    expect([answer.status, message(body)]).toEqual([400, expected(says)]);
  });

test("older servers of generate-content know no call ids, and ask for no signatures", async () => {
  const path = "/v1beta/models/sim-text-old:generateContent";
  const unsigned = { functionCall: { name: "f", args: {} } };
  const body = (part: object) => gs(hi, turn("model", part), turn("user", response()));
  expect((await set.post(path, body(unsigned))).status).toBe(200);
  const answer = await set.post(path, body({ functionCall: { name: "f", id: "c1" } }));
  expect(message(await answer.json())).toContain('Unknown name "id"');
});

test("a signature is asked for in the current turn only", async () => {
  const unsigned = turn("model", { functionCall: { name: "f" } });
  const contents = gs(hi, unsigned, turn("user", response()), turn("model", { text: "a" }), hi);
  expect((await set.post(genstyle.path, contents)).status).toBe(200);
});

test("messages need a version header, and the newest version has no sampling fields", async () => {
  const without = await set.post(msgstyle.path, msgstyle.base, { "anthropic-version": "" });
  expect([without.status, message(await without.json())]).toEqual([
    400,
    "anthropic-version: header is required",
  ]);
  const cool = { ...msgstyle.base, temperature: 0.5 };
  expect((await set.post(msgstyle.path, cool)).status).toBe(200);
  const newest = await set.post(msgstyle.path, cool, { "anthropic-version": "2026-10-21" });
  expect(message(await newest.json())).toBe("temperature: Extra inputs are not permitted");
});

test("what one vendor's server issued, another's does not take", async () => {
  const thinking = { thinking: { type: "enabled", budget_tokens: 1024 } };
  const thought = (await (await set.post(msgstyle.path, { ...msgstyle.base, ...thinking })).json())
    .content[0];
  const answer = await set.post(
    genstyle.path,
    gs(hi, turn("model", { text: "a", thoughtSignature: thought.signature }), hi),
  );
  expect(message(await answer.json())).toBe("Thought signature is not valid.");
});

const embedPath = "/v1beta/models/sim-embed";
const embeds: [path: string, body: object, says: string | RegExp][] = [
  ["/embeddings", { input: "a" }, "Missing required parameter: 'model'."],
  ["/embeddings", { model: "m", input: "a", provider: {} }, "Unknown parameter: 'provider'."],
  ["/embeddings", { model: "m", input: [] }, /^Invalid 'input': empty array/],
  ["/embeddings", { model: "m", input: "a", encoding_format: "hex" }, /^Invalid value: 'hex'/],
  [`${embedPath}:embedContent`, { contents: "a" }, /Unknown name "contents"/],
  [
    `${embedPath}:embedContent`,
    { content: { parts: [{ text: "a" }] }, outputDimensionality: 9999 },
    /at most 3072/,
  ],
  [
    `${embedPath}:embedContent`,
    { content: { parts: [{ inlineData: { mimeType: "image/png", data: PNG } }] } },
    /embeds text only/,
  ],
  [
    `${embedPath}:batchEmbedContents`,
    { requests: [{ content: { parts: [{ text: "a" }] } }] },
    /requests\[0\].model/,
  ],
  [`${embedPath}:batchEmbedContents`, { requests: [] }, /requests is not specified/],
];

test.each(embeds)("embeddings at %s refuse %j", async (path, body, says) => {
  const answer = await set.post(path, body);
  expect([answer.status, message(await answer.json())]).toEqual([400, expected(says)]);
});
