import type { Phrase } from "./phrase.ts";

/** The words of the vendor of the messages wire, and of the platforms that serve its models. As of November 2026. */
export const msgstyle: readonly Phrase[] = [
  { words: /^`temperature` and `top_p` cannot both be specified/, finding: "temperature beside top_p" },
  {
    words: /^`(?:temperature|top_p|top_k)` (?:may only be set to|must be) .{1,60} when thinking is enabled/,
    finding: "sampling while thinking",
  },
  { words: /^`(?:temperature|top_p|top_k)` is deprecated for this model/, finding: "sampling" },
  { words: /^`(?<parameter>[\w.]{1,80})` is deprecated for this model/ },
  { words: /^"thinking\.type\.disabled" is not supported for this model/, finding: "thinking off" },
  { words: /^"thinking\.type\.enabled" is not supported for this model/, finding: "thinking by budget" },
  {
    words: /^(?:"thinking\.type\.adaptive"|adaptive thinking) is not supported (?:for|on) this model/,
    finding: "thinking by effort",
  },
  {
    words:
      /^This model does not support effort level '(?<value>\w{1,40})'\. Supported levels: (?<allowed>[^.]{1,400})/,
    parameter: "output_config.effort",
  },
  { words: /^This model does not support the effort parameter/, finding: "thinking by effort" },
  { words: /^tool_choice forces tool use is not compatible with this model/, finding: "forced choice" },
  {
    words: /^Thinking may not be enabled when tool_choice forces tool use/,
    finding: "forced choice while thinking",
  },
  { words: /^This model does not support assistant message prefill/, finding: "assistant turn last" },
  { words: /^role 'system' is not supported on this model/, finding: "system text after the first turn" },
  { words: /^messages(?:\.\d{1,6})?: Unexpected role "system"/, finding: "system text after the first turn" },
  {
    words: /^messages\.\d{1,6}: use the top-level 'system' parameter/,
    finding: "system text after the first turn",
  },
  { words: /^messages\.\d{1,6}: role 'system' must /, finding: "system text after the first turn" },
  {
    words:
      /^(?<parameter>max_tokens): \d{1,12} > (?<most>\d{1,12}), which is the maximum allowed number of output tokens/,
  },
  {
    words: /^(?:output_config\.format|output_format)(?:\.\w{1,40})?: Extra inputs are not permitted/,
    finding: "format",
  },
  { words: /^output_config\.effort: Extra inputs are not permitted/, finding: "thinking by effort" },
  { words: /^tools\.\d{1,6}\.(?:custom\.)?strict: Extra inputs are not permitted/, finding: "strict tools" },
  { words: /^(?<parameter>[\w.]{1,120}): Extra inputs are not permitted/ },
  {
    words:
      /^output_config\.format\.schema: For '\w{1,40}' type, propert(?:y|ies) '(?<keyword>\w{1,40})' (?:is|are) not supported/,
  },
  { words: /^A conversation must start with a user message/, finding: "assistant turn first" },
  { words: /^This model doesn't support the (?<parameter>\w{1,40}) field/ },
  { words: /^extraneous key \[(?<parameter>[\w.]{1,80})\] is not permitted/ },
  { words: /^This model doesn't support tool use in streaming mode/, finding: "answers at once" },
];
