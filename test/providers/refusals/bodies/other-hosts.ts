import { alwaysThinks, flat, from } from "./shapes.ts";

export const otherHostsBodies = [
  ...from("xAI", [
    {
      body: {
        code: "Client specified an invalid argument",
        error: "Model grok-4 does not support parameter presencePenalty.",
      },
      traits: { refuses: ["frequencyPenalty", "presencePenalty"] },
    },
    {
      body: {
        code: "invalid-argument",
        error: "Model grok-4-fast does not support parameter reasoningEffort.",
      },
      traits: { thinking: [] },
    },
    {
      body: {
        code: "Client specified an invalid argument",
        error: "Argument not supported on this model: stop",
      },
      traits: { refuses: ["stop"] },
    },
    {
      body: { code: "x", error: "This model does not support 'reasoning_effort' value 'max'" },
      traits: { efforts: ["minimal", "low", "medium", "high"] },
    },
    {
      body: {
        code: "invalid-argument",
        error: "This model does not support 'reasoning_effort' value 'none'",
      },
      traits: { efforts: ["low", "medium", "high", "xhigh", "max"], ...alwaysThinks },
    },
  ]),
  ...from("DashScope", [
    {
      body: {
        error: {
          code: "invalid_parameter_error",
          param: null,
          message:
            "<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
          type: "invalid_request_error",
        },
      },
      traits: { forcedChoice: "unthinking" },
    },
    {
      body: {
        error: {
          code: "invalid_parameter_error",
          param: null,
          message:
            "<400> InternalError.Algo.InvalidParameter: Json mode response is not supported when enable_thinking is true",
          type: "invalid_request_error",
        },
      },
      traits: { formatConflicts: ["thinking"] },
    },
    {
      body: {
        error: {
          code: "invalid_parameter_error",
          param: null,
          message:
            "<400> InternalError.Algo.InvalidParameter: The value of the enable_thinking parameter is restricted to True.",
          type: "invalid_request_error",
        },
      },
      traits: alwaysThinks,
    },
    {
      body: {
        error: {
          code: "invalid_parameter_error",
          param: null,
          message: "<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 16384]",
          type: "invalid_request_error",
        },
      },
      traits: { maxOutput: 16384 },
    },
  ]),
  ...from("Volcengine", [
    {
      body: {
        error: {
          code: "InvalidParameter",
          message: "Unsupported thinking type for the current model: disabled. Request id: 0217",
          param: "thinking.type",
          type: "BadRequest",
        },
      },
      traits: alwaysThinks,
    },
  ]),
  ...from("Cerebras", [
    {
      body: {
        message: "body.messages.0.system.content: Input should be a valid string",
        type: "invalid_request_error",
        param: "validation_error",
        code: "wrong_api_format",
      },
      traits: { messageTexts: false, resultTexts: false },
    },
  ]),
  ...from("SambaNova", [
    {
      body: {
        error: { message: "Invalid 'content' type. Expected one of: ['str'], got list.", type: "Error" },
      },
      traits: { messageTexts: false, resultTexts: false },
    },
  ]),
  ...from("Groq", [
    {
      body: flat(
        "'messages.0' : for 'role:system' the following must be satisfied[('messages.0.content' : value must be a string)]",
      ),
      traits: { messageTexts: false, resultTexts: false },
    },
    {
      body: flat("json mode cannot be combined with tool/function calling"),
      traits: { formatConflicts: ["tools"] },
    },
    {
      body: flat("property 'parallel_tool_calls' is unsupported"),
      traits: { parallelCalls: false },
    },
    {
      body: flat("`reasoning_effort` must be one of `none` or `default`", "reasoning_effort"),
      traits: { efforts: [] },
    },
    {
      body: flat(
        "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
      ),
      traits: { reasoningBack: false },
    },
    {
      body: flat("property 'logprobs' is unsupported, did you mean 'stop'?"),
      traits: { refuses: ["logprobs", "topLogprobs"] },
    },
    {
      body: flat(
        "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
        "max_tokens",
      ),
      traits: { maxOutput: 8192 },
    },
  ]),
  ...from("Cerebras", [
    {
      status: 422,
      body: {
        message: "Tools with mixed values for 'strict' are not allowed",
        type: "invalid_request_error",
        param: "tools",
        code: "wrong_api_format",
      },
      traits: { strict: false },
    },
  ]),
  ...from("Cohere", [
    { body: { message: "tool_choice is not supported for this model" }, traits: { forcedChoice: false } },
    {
      status: 422,
      body: { message: "unsupported reasoning_effort 'low'. Use 'high' instead" },
      traits: { efforts: ["high"], ...alwaysThinks },
    },
  ]),
  ...from("Perplexity", [
    {
      body: {
        error: {
          message:
            "After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).",
          type: "invalid_message",
          code: 400,
        },
      },
      traits: { alternates: true },
    },
  ]),
];
