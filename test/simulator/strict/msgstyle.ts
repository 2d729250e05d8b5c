import { PNG } from "../setup.ts";
import { open, q, type Table } from "./table.ts";

const ms = (...messages: object[]) => ({ messages });
const use = (id = "t1") => ({ type: "tool_use", id, name: "f", input: {} });
const said = (...content: object[]) => ({ role: "assistant", content });
const asked = (...content: object[]) => ({ role: "user", content });
const result = (id = "t1") => ({ type: "tool_result", tool_use_id: id, content: "a" });
const text = (value: string) => ({ type: "text", text: value });
const f = { name: "f", input_schema: { type: "object" } };
export const msgstyle: Table = {
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
