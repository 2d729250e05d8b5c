import type { Phrase } from "./phrase.ts";

/** The words of other vendors that speak the chat-completions wire. As of November 2026. */
export const hosts: readonly Phrase[] = [
  // DeepSeek, whose server reads requests in Rust.
  { words: /^Thinking mode does not support this tool_choice/, finding: "forced choice while thinking" },
  { words: /^The `reasoning_content` in the thinking mode must be passed back/, finding: "thoughts missing" },
  { words: /^This response_format type is unavailable now/, finding: "format by schema" },
  { words: /^[^`]{0,200}unknown variant `developer`, expected one of /, finding: "developer role" },
  { words: /^[^`]{0,200}unknown variant `custom`, expected `function`/, finding: "free-text tools" },
  { words: /^[^`]{0,200}unknown variant `json_schema`, expected /, finding: "format by schema" },
  { words: /^[^`]{0,200}unknown variant `image_url`, expected `text`/, finding: "media" },
  {
    words:
      /^(?:Failed to deserialize the JSON body into the target type: )?messages\[\d{1,6}\](?:\.\w{1,40})?: invalid type: sequence, expected a string/,
    finding: "lists of texts",
  },
  {
    words:
      /^(?<parameter>reasoning_effort): unknown variant `(?<value>\w{1,40})`, expected (?:one of )?(?<allowed>[^.]{1,400})/,
  },
  {
    words:
      /^Invalid (?<parameter>max_tokens) value, the valid range of max_tokens is \[1, ?(?<most>\d{1,12})\]/,
  },
  // Mistral
  { words: /^top_p must be 1 when using greedy sampling/, finding: "temperature beside top_p" },
  { words: /^Unexpected role 'user' after role 'tool'/, finding: "user turn after results" },
  { words: /^Unexpected role 'system' after role /, finding: "system text after the first turn" },
  {
    words: /^Tool call id was (?<request>.{0,60}?) but must be a-z, A-Z, 0-9, with a length of 9/,
    finding: "spelling of call ids",
  },
  { words: /^Expected last role User or Tool/, finding: "assistant turn last" },
  // SambaNova
  { words: /^Invalid 'content' type\. Expected one of: \['str'\], got list/, finding: "lists of texts" },
  // Servers on pydantic name the place beside the words.
  { words: /^Extra inputs are not permitted/ },
  { words: /^Input should be (?<allowed>'[^']{1,40}'(?:, '[^']{1,40}')*(?:,? or '[^']{1,40}')?)$/ },
  // Moonshot
  { words: /^invalid (?<parameter>\w{1,40}): only (?<allowed>[\d.]{1,12}) is allowed for this model/ },
  { words: /^cannot specify both 'thinking' and 'reasoning_effort'/, finding: "effort beside a switch" },
  {
    words: /^tool_choice specified is incompatible with thinking enabled/,
    finding: "forced choice while thinking",
  },
  {
    words: /^thinking is enabled but reasoning_content is missing in assistant tool call message/,
    finding: "thoughts missing at calls",
  },
  {
    words: /^the message at position \d{1,6} with role 'assistant' must not be empty/,
    finding: "assistant turn empty",
  },
  { words: /^tools\.function\.strict is not supported/, finding: "strict tools" },
  {
    words:
      /^tools\.function\.parameters is not a valid moonshot flavored json schema, details: <At path '(?<request>[^']{0,200})': unsupported keyword '?(?<keyword>\w{1,40})/,
  },
  // Z.ai
  {
    words: /^.{0,60}\breasoning_effort\b.{0,60}please use (?<allowed>[a-z, ]{1,60})/,
    parameter: "reasoning_effort",
  },
  { words: /^.{0,60}\b(?<parameter>max_tokens)\b.{0,60}\[1, ?(?<most>\d{1,12})\]/ },
  // MiniMax
  { words: /^chat content has invalid message role: system/, finding: "system text after the first turn" },
  { words: /^chat content has invalid message role: developer/, finding: "developer role" },
  { words: /^function parameters is empty/, finding: "functions without parameters" },
  // xAI
  { words: /^Model [\w.:/-]{1,120} does not support parameter (?<parameter>\w{1,60})/ },
  { words: /^Argument not supported on this model: (?<parameter>\w{1,60})/ },
  { words: /^This model does not support '(?<parameter>\w{1,60})' value '(?<value>\w{1,40})'/ },
  // DashScope
  {
    words: /^The tool_choice parameter does not support being set to required or object in thinking mode/,
    finding: "forced choice while thinking",
  },
  {
    words: /^Json mode response is not supported when enable_thinking is true/,
    finding: "format while thinking",
  },
  { words: /^The value of the enable_thinking parameter is restricted to True/, finding: "thinking off" },
  // Volcengine
  { words: /^Invalid combination of reasoning_effort and thinking type/, finding: "effort beside a switch" },
  { words: /^Unsupported thinking type for the current model: disabled/, finding: "thinking off" },
  // Groq and Cerebras
  { words: /^`(?<parameter>\w{1,60})` must be one of (?<allowed>[^.]{1,400})/ },
  {
    words:
      /^`(?<parameter>max_tokens|max_completion_tokens)` must be less than or equal to `?(?<most>\d{1,12})/,
  },
  {
    words: /^(?:'messages\.\d{1,6}' : .{0,200}?)?property 'reasoning_content' is unsupported/,
    finding: "thoughts sent",
  },
  {
    words:
      /^'messages\.\d{1,6}' : for 'role:\w{1,20}' the following must be satisfied\[\('messages\.\d{1,6}\.content' : value must be a string/,
    finding: "lists of texts",
  },
  {
    words: /^(?:body\.)?messages\.\d{1,6}\.\w{1,20}\.content(?:\.str)?: Input should be a valid string/,
    finding: "lists of texts",
  },
  { words: /^property '(?<parameter>[\w.]{1,80})' is unsupported/ },
  { words: /^json mode cannot be combined with tool\/function calling/, finding: "format beside functions" },
  { words: /^Tools with mixed values for 'strict' are not allowed/, finding: "strict tools" },
  // Cohere
  { words: /^tool_choice is not supported for this model/, finding: "forced choice" },
  {
    words: /^.{0,60}\breasoning_effort\b.{0,60}\. Use '(?<allowed>\w{1,40})' instead/,
    parameter: "reasoning_effort",
  },
  // Perplexity
  {
    words:
      /^After the \(optional\) system message\(s\), user or tool message\(s\) should alternate with assistant message\(s\)/,
    finding: "turns of one role",
  },
  { words: /^Last message must have role `user`/, finding: "assistant turn last" },
  // Routers
  {
    words: /^Only one of "reasoning\.effort" and "reasoning\.max_tokens" /,
    finding: "effort beside a switch",
  },
];
