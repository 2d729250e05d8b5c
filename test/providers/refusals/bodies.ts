import type { Traits } from "@manifold-gateway/core/codec";

/** An error body of a vendor, and what it says of the model. */
export interface RefusalBody {
  vendor: string;
  /** Default: 400. */
  status?: number;
  body: unknown;
  /** The traits of the model before. Default: none. */
  before?: Traits;
  traits: Traits;
}

type Row = Omit<RefusalBody, "vendor">;

const from = (vendor: string, rows: readonly Row[]): RefusalBody[] => rows.map((row) => ({ vendor, ...row }));

/** The form of the chat and responses wires. */
const flat = (message: string, param: string | null = null, code: string | null = null) => ({
  error: { message, type: "invalid_request_error", param, code },
});
const typed = (message: string) => ({
  type: "error",
  error: { type: "invalid_request_error", message },
  request_id: "req_011",
});
const coded = (message: string, details?: unknown[]) => ({
  error: { code: 400, message, status: "INVALID_ARGUMENT", ...(details && { details }) },
});
const listed = (type: string, loc: (string | number)[], msg: string) => ({
  detail: [{ type, loc, msg, input: "x" }],
});

const usual: Traits = { sampling: "usual" };
const someEfforts: Traits = { efforts: ["low", "medium", "high"] };
const alwaysThinks: Traits = { thinking: ["adaptive", "manual"] };

export const bodies: readonly RefusalBody[] = [
  ...from("OpenAI", [
    {
      body: flat(
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
        "temperature",
        "unsupported_value",
      ),
      traits: usual,
    },
    {
      body: flat(
        "Unsupported value: 'top_p' does not support 0.9 with this model. Only the default (1) value is supported.",
        "top_p",
        "unsupported_value",
      ),
      traits: usual,
    },
    {
      body: flat(
        "Unsupported parameter: 'stop' is not supported with this model.",
        "stop",
        "unsupported_parameter",
      ),
      traits: { refuses: ["stop"] },
    },
    {
      body: flat("Unsupported parameter: 'stop' is not supported with this model.", "stop"),
      before: { refuses: ["seed"] },
      traits: { refuses: ["seed", "stop"] },
    },
    {
      body: flat("Unsupported parameter: 'top_p' is not supported with this model.", "top_p"),
      traits: usual,
    },
    {
      body: flat(
        "Unsupported parameter: 'presence_penalty' is not supported with this model.",
        "presence_penalty",
      ),
      traits: { refuses: ["frequencyPenalty", "presencePenalty"] },
    },
    {
      body: flat(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "max_tokens",
        "unsupported_parameter",
      ),
      traits: { maxTokensField: "max_completion_tokens" },
    },
    {
      body: flat(
        "Unsupported value: 'max' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'.",
        "reasoning_effort",
        "unsupported_value",
      ),
      traits: someEfforts,
    },
    {
      body: flat(
        "Unsupported value: 'none' is not supported with the 'o4-mini' model. Supported values are: 'low', 'medium', and 'high'.",
        "reasoning.effort",
        "unsupported_value",
      ),
      traits: { ...someEfforts, ...alwaysThinks },
    },
    {
      body: flat(
        "Unsupported value: 'low' is not supported with the 'gpt-5.1-chat-latest' model. Supported values are: 'medium'.",
        "text.verbosity",
        "unsupported_value",
      ),
      traits: { accepts: { verbosity: ["medium"] } },
    },
    {
      body: flat(
        "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      ),
      traits: { onChat: "unthinkingTools" },
    },
    {
      body: flat(
        "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.",
      ),
      traits: { onChat: "unthinkingTools" },
    },
    {
      body: flat(
        "Unsupported value: 'messages[0].role' does not support 'developer' with this model.",
        "messages[0].role",
        "unsupported_value",
      ),
      traits: { developer: false },
    },
    {
      body: flat(
        "Invalid schema for function 'search': In context=('properties', 'query'), 'minLength' is not permitted.",
        "tools[0].parameters",
        "invalid_function_parameters",
      ),
      traits: { schemaWithout: ["minLength"] },
    },
    {
      body: flat(
        "max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.",
        "max_tokens",
        "invalid_value",
      ),
      traits: { maxOutput: 16384 },
    },
    {
      body: flat(
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        "response_format",
      ),
      traits: { format: "object" },
    },
    {
      body: flat("Unrecognized request argument supplied: reasoning_effort"),
      traits: { thinking: [] },
    },
    {
      body: flat("Unknown parameter: 'prompt_cache_key'.", "prompt_cache_key", "unknown_parameter"),
      traits: { refuses: ["cacheKey"] },
    },
  ]),
  ...from("Anthropic", [
    { body: typed("`temperature` is deprecated for this model."), traits: usual },
    {
      body: typed("`temperature` and `top_p` cannot both be specified for this model. Please use only one."),
      traits: { sampling: "one" },
    },
    {
      body: typed(
        "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation.",
      ),
      traits: { sampling: "unthinking" },
    },
    {
      body: typed(
        '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
      ),
      traits: alwaysThinks,
    },
    {
      body: typed(
        '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
      ),
      before: { thinking: ["adaptive", "manual"] },
      traits: { thinking: ["adaptive"] },
    },
    {
      body: typed("adaptive thinking is not supported on this model"),
      traits: { thinking: ["manual", "off"] },
    },
    {
      body: typed(
        "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.",
      ),
      traits: { efforts: ["low", "medium", "high", "max"] },
    },
    { body: typed("role 'system' is not supported on this model"), traits: { midSystem: false } },
    {
      body: typed(
        "This model does not support assistant message prefill. The conversation must end with a user message.",
      ),
      traits: { prefill: false },
    },
    { body: typed("tools.0.custom.strict: Extra inputs are not permitted"), traits: { strict: false } },
    {
      body: typed("output_config.format.schema: For 'string' type, property 'maxLength' is not supported"),
      traits: { schemaWithout: ["maxLength"] },
    },
    {
      body: typed(
        'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter.',
      ),
      traits: { midSystem: false },
    },
    {
      body: typed("messages.0: use the top-level 'system' parameter for the initial system prompt"),
      traits: { midSystem: false },
    },
    {
      body: typed("messages.2: role 'system' must precede an 'assistant' message or end the array"),
      traits: { midSystem: false },
    },
    {
      body: typed("tool_choice forces tool use is not compatible with this model."),
      traits: { forcedChoice: false },
    },
    { body: typed("output_config.format: Extra inputs are not permitted"), traits: { format: false } },
    {
      body: typed("output_config.effort: Extra inputs are not permitted"),
      traits: { thinking: ["manual", "off"] },
    },
    { body: typed("top_k: Extra inputs are not permitted"), traits: { refuses: ["topK"] } },
    { body: typed("service_tier: Extra inputs are not permitted"), traits: { refuses: ["serviceTier"] } },
    {
      body: typed(
        "max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5",
      ),
      traits: { maxOutput: 64000 },
    },
  ]),
  ...from("AWS", [
    {
      body: {
        message:
          "A conversation must start with a user message. Try again with a conversation that starts with a user message.",
      },
      traits: { alternates: true },
    },
    {
      body: {
        message: "The model returned the following errors: `temperature` is deprecated for this model.",
      },
      traits: usual,
    },
    {
      body: {
        __type: "ValidationException",
        message:
          "The model returned the following errors: output_config.format: Extra inputs are not permitted",
      },
      traits: { format: false },
    },
    {
      body: {
        message:
          "Malformed input request: extraneous key [top_k] is not permitted, please reformat your input and try again.",
      },
      traits: { refuses: ["topK"] },
    },
  ]),
  ...from("Google", [
    {
      body: coded(
        "Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.",
      ),
      traits: { efforts: ["low", "medium", "high", "xhigh", "max"] },
    },
    { body: coded("Thinking level is not supported for this model."), traits: { thinkingBy: "budget" } },
    { body: coded("Budget 0 is invalid. This model only works in thinking mode."), traits: alwaysThinks },
    { body: [coded("Thinking can't be disabled for this model.")], traits: alwaysThinks },
    {
      body: coded("The thinking budget (100) is invalid. Please choose a value between 512 and 24576."),
      traits: { budgets: [512, 24576] },
    },
    {
      body: coded("Function calling with a response mime type: 'application/json' is unsupported"),
      before: { formatConflicts: ["thinking"] },
      traits: { formatConflicts: ["thinking", "tools"] },
    },
    {
      body: coded("Penalty is not enabled for models/gemini-2.5-flash-lite"),
      traits: { refuses: ["frequencyPenalty", "presencePenalty"] },
    },
    {
      body: coded("Logprobs is not enabled for this model"),
      traits: { refuses: ["logprobs", "topLogprobs"] },
    },
    {
      body: coded("Multiple candidates is not enabled for models/gemini-3-flash-preview"),
      traits: { refuses: ["candidates"] },
    },
    {
      body: coded("`function_response.parts` is not supported for this model."),
      traits: { resultMedia: false },
    },
    {
      body: coded(
        "Invalid JSON payload received. Unknown name \"parametersJsonSchema\" at 'tools[0].function_declarations[0]': Cannot find field.",
        [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            fieldViolations: [
              {
                field: "tools[0].function_declarations[0]",
                description:
                  "Invalid JSON payload received. Unknown name \"parametersJsonSchema\" at 'tools[0].function_declarations[0]': Cannot find field.",
              },
            ],
          },
        ],
      ),
      traits: { jsonSchema: false },
    },
    {
      body: coded(
        "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters.properties[0].value': Cannot find field.",
      ),
      traits: { schemaWithout: ["additionalProperties"] },
    },
    {
      body: coded(
        "Invalid JSON payload received. Unknown name \"id\" at 'contents[1].parts[0].function_call': Cannot find field.",
      ),
      traits: { callIds: false },
    },
    {
      body: coded(
        "Invalid JSON payload received. Unknown name \"thinkingLevel\" at 'generation_config.thinking_config': Cannot find field.",
      ),
      traits: { thinkingBy: "budget" },
    },
    {
      body: coded(
        "Invalid JSON payload received. Unknown name \"frequencyPenalty\" at 'generation_config': Cannot find field.",
      ),
      traits: { refuses: ["frequencyPenalty", "presencePenalty"] },
    },
    {
      body: coded(
        "Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.",
      ),
      traits: { maxOutput: 65536 },
    },
  ]),
  ...from("DeepSeek", [
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
          message: "invalid params, chat content has invalid message role: system (2013)",
          http_code: "400",
        },
      },
      traits: { midSystem: false },
    },
  ]),
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
  ...from("Groq", [
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
  ...from("vLLM", [
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

/** Error bodies that say nothing of a model. */
export const others: readonly { what: string; status: number; body: unknown }[] = [
  {
    what: "a refused key",
    status: 401,
    body: flat("Unsupported parameter: 'stop' is not supported with this model.", "stop"),
  },
  { what: "a missing permission", status: 403, body: typed("`temperature` is deprecated for this model.") },
  {
    what: "an unknown model",
    status: 404,
    body: flat("Unsupported parameter: 'stop' is not supported with this model."),
  },
  { what: "a timeout", status: 408, body: typed("`temperature` is deprecated for this model.") },
  {
    what: "a body that is too large",
    status: 413,
    body: typed("`temperature` is deprecated for this model."),
  },
  { what: "a rate limit", status: 429, body: typed("`temperature` is deprecated for this model.") },
  { what: "a failing server", status: 500, body: typed("`temperature` is deprecated for this model.") },
  { what: "a failing proxy", status: 502, body: { error: "System message must be at the beginning." } },
  { what: "an overload", status: 529, body: typed("Overloaded") },
  {
    what: "an invalid argument without a name",
    status: 400,
    body: coded("Request contains an invalid argument."),
  },
  {
    what: "a refused content",
    status: 400,
    body: flat("Your request was rejected by the safety system.", null, "content_policy_violation"),
  },
  {
    what: "a filtered content in words of a parameter",
    status: 400,
    body: flat("Unsupported parameter: 'stop' is not supported with this model.", "stop", "content_filter"),
  },
  {
    what: "a conversation that is too long",
    status: 400,
    body: flat(
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
      "messages",
      "context_length_exceeded",
    ),
  },
  { what: "missing credit", status: 400, body: typed("Your credit balance is too low to access the API.") },
  {
    what: "an unknown reason",
    status: 400,
    body: { error: { message: "invalid params, invalid chat setting (2013)" } },
  },
  {
    what: "an image that cannot be read",
    status: 400,
    body: typed("messages.0.content.0.image.source.base64.data: Could not process image"),
  },
  {
    what: "a refused limit without another spelling",
    status: 400,
    body: typed("max_output_tokens: Extra inputs are not permitted"),
  },
  {
    what: "a refused list of messages",
    status: 422,
    body: listed("extra_forbidden", ["body", "messages"], "Extra inputs are not permitted"),
  },
  {
    what: "a refused name of a model",
    status: 422,
    body: listed("extra_forbidden", ["body", "model"], "Extra inputs are not permitted"),
  },
  {
    what: "words of a request that look like a refusal",
    status: 400,
    body: flat("Invalid value for tool `Unsupported parameter: 'stop' is not supported with this model.`"),
  },
];
