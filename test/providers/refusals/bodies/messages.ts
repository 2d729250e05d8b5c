import { alwaysThinks, from, typed, usual } from "./shapes.ts";

export const messagesBodies = [
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
];
