import { alwaysThinks, flat, from, listed, usual } from "./shapes.ts";

export const strictHostsBodies = [
  ...from("DeepSeek", [
    {
      status: 422,
      body: flat(
        "Failed to deserialize the JSON body into the target type: messages[2]: invalid type: sequence, expected a string at line 1 column 13946",
      ),
      traits: { messageTexts: false, resultTexts: false },
    },
    {
      body: flat(
        "Failed to deserialize the JSON body into the target type: messages[2]: unknown variant `image_url`, expected `text` at line 1 column 300",
      ),
      traits: { media: [] },
    },
    {
      body: flat("The `reasoning_content` in the thinking mode must be passed back to the API."),
      traits: { reasoningBack: "always" },
    },
    { body: flat("This response_format type is unavailable now"), traits: { format: "object" } },
    {
      body: flat("Thinking mode does not support this tool_choice"),
      traits: { forcedChoice: "unthinking" },
    },
    {
      body: flat(
        "Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool` at line 1 column 40",
      ),
      traits: { developer: false },
    },
    {
      body: flat(
        "Failed to deserialize the JSON body into the target type: tools[0].type: unknown variant `custom`, expected `function` at line 1 column 120",
      ),
      traits: { freeform: false },
    },
    {
      body: flat("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"),
      traits: { maxOutput: 8192 },
    },
  ]),
  ...from("Mistral", [
    {
      body: {
        object: "error",
        message: "Unexpected role 'user' after role 'tool'",
        type: "invalid_request_message_order",
        param: null,
        code: "3230",
      },
      traits: { userAfterResults: false },
    },
    {
      body: {
        object: "error",
        message: "Tool call id was toolu_01AbCdEfGh but must be a-z, A-Z, 0-9, with a length of 9.",
        type: "invalid_function_call",
        param: null,
        code: "3280",
      },
      traits: { callIdLength: 9 },
    },
    {
      status: 422,
      body: listed("extra_forbidden", ["body", "stream_options"], "Extra inputs are not permitted"),
      traits: { streamUsage: false },
    },
    {
      status: 422,
      body: {
        object: "error",
        message: {
          detail: [
            {
              type: "extra_forbidden",
              loc: ["body", "max_completion_tokens"],
              msg: "Extra inputs are not permitted",
            },
          ],
        },
        type: "invalid_request_error",
        param: null,
        code: null,
      },
      traits: { maxTokensField: "max_tokens" },
    },
    {
      status: 422,
      body: listed("extra_forbidden", ["body", "logit_bias"], "Extra inputs are not permitted"),
      traits: { refuses: ["logitBias"] },
    },
    {
      status: 422,
      body: listed(
        "extra_forbidden",
        ["body", "messages", 1, "assistant", "reasoning_content"],
        "Extra inputs are not permitted",
      ),
      traits: { reasoningBack: false },
    },
    {
      status: 422,
      body: listed("literal_error", ["body", "reasoning_effort"], "Input should be 'none' or 'high'"),
      traits: { efforts: ["high"] },
    },
  ]),
  ...from("Moonshot", [
    {
      body: {
        error: {
          message: "tool_choice specified is incompatible with thinking enabled",
          type: "invalid_request_error",
        },
      },
      traits: { forcedChoice: "unthinking" },
    },
    {
      body: {
        error: {
          message: "invalid temperature: only 1 is allowed for this model",
          type: "invalid_request_error",
        },
      },
      traits: usual,
    },
    {
      body: {
        error: {
          message:
            "thinking is enabled but reasoning_content is missing in assistant tool call message at index 3",
          type: "invalid_request_error",
        },
      },
      traits: { reasoningBack: "calls" },
    },
    {
      body: {
        error: {
          message: "cannot specify both 'thinking' and 'reasoning_effort'",
          type: "invalid_request_error",
        },
      },
      traits: { efforts: [] },
    },
    {
      body: {
        error: { message: "invalid n: only 1 is allowed for this model", type: "invalid_request_error" },
      },
      traits: { accepts: { candidates: [1] } },
    },
  ]),
  ...from("Z.ai", [
    {
      body: {
        error: { code: "1210", message: "Invalid parameter: reasoning_effort, please use low, high, or max" },
      },
      traits: { efforts: ["low", "high", "max"], ...alwaysThinks },
    },
    {
      body: { error: { code: "1210", message: "max_tokens is out of range [1,131072]" } },
      traits: { maxOutput: 131072 },
    },
  ]),
  ...from("MiniMax", [
    {
      body: {
        type: "error",
        error: {
          type: "bad_request_error",
          message: "invalid params, function parameters is empty (2013)",
          http_code: "400",
        },
      },
      traits: { toolSchemas: true },
    },
    {
      body: {
        type: "error",
        error: {
          type: "bad_request_error",
          message: "invalid params, chat content has invalid message role: system (2013)",
          http_code: "400",
        },
      },
      traits: { midSystem: false },
    },
  ]),
];
