import type { Phrase } from "./phrase.ts";

/** The words of the vendor of the chat-completions and responses wires. As of November 2026. */
export const chatstyle: readonly Phrase[] = [
  {
    words: /^Unsupported value: '[^']{1,80}\.role' does not support 'developer' with this model/,
    finding: "developer role",
  },
  {
    words: /^Unsupported value: '[^']{1,80}\.role' does not support 'system' with this model/,
    finding: "system text",
  },
  {
    words:
      /^Unsupported value: '(?<parameter>[^']{1,80})' does not support (?<request>.{1,60}?) with this model\. Only the default \((?<allowed>[^)]{1,40})\) value is supported/,
  },
  {
    words:
      /^Unsupported value: '(?<value>[^']{1,80})' is not supported with the '[^']{1,120}' model\. Supported values are: (?<allowed>[^.]{1,400})/,
  },
  {
    words:
      /^Unsupported parameter: '(?<parameter>[^']{1,80})' is not supported with this model\. Use '(?<instead>[^']{1,80})' instead/,
  },
  {
    words:
      /^Unsupported parameter: '(?<parameter>[^']{1,80})' is not supported with (?:this|the '[^']{1,120}') model/,
  },
  { words: /^Function tools with reasoning_effort are not supported/, finding: "effort beside functions" },
  {
    words:
      /^Invalid schema for function '(?<request>[^']{0,200})': In context=\([^)]{0,200}\), '(?<keyword>\w{1,40})' is not permitted/,
  },
  {
    words:
      /^Invalid schema for response_format '(?<request>[^']{0,200})': In context=\([^)]{0,200}\), '(?<keyword>\w{1,40})' is not permitted/,
  },
  {
    words:
      /^Invalid (?:JSON )?schema for (?:function|response_format) '(?<request>[^']{0,200}': ['"][\s\S]{0,1500})['"] is not a ['"]regex['"]/,
    finding: "regular expressions",
  },
  { words: /^Invalid JSON schema: regex \w{1,30} is not supported/, finding: "regular expressions" },
  {
    words:
      /^(?<parameter>max_tokens|max_completion_tokens|max_output_tokens) is too large: \d{1,12}\. This model supports at most (?<most>\d{1,12}) /,
  },
  { words: /^Invalid value: 'developer'\. Supported values are: /, finding: "developer role" },
  { words: /^Invalid value: 'custom'\. Supported values are: /, finding: "free-text tools" },
  {
    words:
      /^Invalid value: '(?<value>[^']{1,80})'\. (?:Supported values are|Value must be one of): (?<allowed>[^.]{1,400})/,
  },
  {
    words: /^Invalid parameter: 'response_format' of type 'json_schema' is not supported/,
    finding: "format by schema",
  },
  { words: /^(?:Unrecognized request argument supplied|Unknown parameter): '?(?<parameter>[\w.[\]]{1,80})/ },
  {
    words:
      /^'?(?<parameter>[a-z_]{1,60})'? (?:is|are) not (?:supported|allowed) (?:with|on|for|by) (?:this|the) (?:model|endpoint)/,
  },
];
