import { flat, from, listed, typed, usual } from "./shapes.ts";

export const serversBodies = [
  ...from("vLLM", [
    {
      status: 500,
      body: {
        error: { message: "Internal server error: sequence item 0: expected str instance, list found" },
      },
      traits: { messageTexts: false, resultTexts: false },
    },
    {
      body: {
        object: "error",
        message: 'can only concatenate str (not "list") to str',
        type: "BadRequestError",
        code: 400,
      },
      traits: { messageTexts: false, resultTexts: false },
    },
    {
      status: 422,
      body: listed(
        "literal_error",
        ["body", "messages", 0, "role"],
        "Input should be 'system', 'user', 'assistant' or 'tool'",
      ),
      traits: { developer: false },
    },
    {
      status: 422,
      body: listed("literal_error", ["body", "tools", 0, "type"], "Input should be 'function'"),
      traits: { freeform: false },
    },
    {
      status: 422,
      body: listed(
        "union_tag_invalid",
        ["body", "messages", 0],
        "Input tag 'developer' found using 'role' does not match any of the expected tags: 'system', 'user'",
      ),
      traits: { developer: false },
    },
    {
      body: {
        object: "error",
        message: 'Grammar error: Unimplemented keys: ["uniqueItems"]',
        type: "BadRequestError",
        code: 400,
      },
      traits: { schemaWithout: ["uniqueItems"] },
    },
    {
      body: {
        object: "error",
        message: "Conversation roles must alternate user/assistant/user/assistant/...",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
      traits: { alternates: true },
    },
    {
      body: {
        object: "error",
        message: "System message must be at the beginning.",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
      traits: { midSystem: false },
    },
    {
      status: 422,
      body: listed("extra_forbidden", ["body", "store"], "Extra inputs are not permitted"),
      traits: { refuses: ["store"] },
    },
  ]),
  ...from("llama.cpp", [
    {
      status: 500,
      body: {
        error: {
          code: 500,
          message: "Jinja Exception: System message must be at the beginning.",
          type: "server_error",
        },
      },
      traits: { midSystem: false },
    },
  ]),
  ...from("ollama", [{ body: { error: '"gemma3:4b" does not support thinking' }, traits: { thinking: [] } }]),
  ...from("OpenRouter", [
    {
      body: {
        error: {
          message: "Provider returned error",
          code: 400,
          metadata: {
            raw: JSON.stringify(
              flat("Unsupported parameter: 'stop' is not supported with this model.", "stop"),
            ),
            provider_name: "x",
          },
        },
        user_id: "user_1",
      },
      traits: { refuses: ["stop"] },
    },
  ]),
  ...from("LiteLLM", [
    {
      body: {
        error: {
          message: `litellm.BadRequestError: AnthropicException - ${JSON.stringify(typed("`temperature` is deprecated for this model."))}`,
          type: null,
          param: null,
          code: "400",
        },
      },
      traits: usual,
    },
  ]),
  ...from("Vercel", [
    {
      body: {
        error: { message: "Bad Request", type: "invalid_request_error" },
        details: JSON.stringify(typed("role 'system' is not supported on this model")),
      },
      traits: { midSystem: false },
    },
  ]),
];
