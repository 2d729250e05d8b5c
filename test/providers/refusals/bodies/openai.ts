import { alwaysThinks, flat, from, someEfforts, usual } from "./shapes.ts";

export const openaiBodies = [
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
        String.raw`Invalid schema for function 'Artifact': '^(?!__.*__$)[^\p{Cc}"\\./[\]]{1,200}$' is not a 'regex'.`,
        "tools[0].function.parameters",
        "invalid_function_parameters",
      ),
      traits: { schemaWithout: ["pattern", "patternProperties"] },
    },
    {
      body: flat(
        "Invalid JSON schema: regex lookaround is not supported. Found at $.properties.to.items.pattern.",
        "tools[0].parameters",
      ),
      traits: { schemaWithout: ["pattern", "patternProperties"] },
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
];
