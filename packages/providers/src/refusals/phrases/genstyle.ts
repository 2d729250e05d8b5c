import type { Phrase } from "./phrase.ts";

/** The words of the vendor of the generate-content wire. As of November 2026. */
export const genstyle: readonly Phrase[] = [
  {
    words: /^Thinking level (?<value>[A-Z]{1,20}) is not supported for this model/,
    parameter: "thinkingConfig.thinkingLevel",
  },
  { words: /^Thinking is not enabled for /, finding: "thinking" },
  { words: /^Thinking level is not supported/, finding: "budgets instead of levels" },
  { words: /^Budget 0 is invalid\. This model only works in thinking mode/, finding: "thinking off" },
  { words: /^Thinking can't be disabled/, finding: "thinking off" },
  {
    words:
      /^The thinking budget \(\d{1,12}\) is invalid\. Please choose a value between (?<least>\d{1,9}) and (?<most>\d{1,9})/,
    parameter: "thinkingConfig.thinkingBudget",
  },
  { words: /^Thinking budget is not supported/, finding: "levels instead of budgets" },
  {
    words: /^(?:Unable to submit request because )?thinking is not supported (?:by|for) this model/i,
    finding: "thinking",
  },
  {
    words: /^Function calling with a response mime type: '[^']{1,80}' is unsupported/,
    finding: "format beside functions",
  },
  { words: /^JSON mode is not enabled for /, finding: "format" },
  { words: /^Penalty is not enabled for /, finding: "penalties" },
  { words: /^Logprobs is not enabled for /, parameter: "responseLogprobs" },
  { words: /^Multiple candidates is not enabled for /, parameter: "candidateCount" },
  { words: /^Developer instruction is not enabled for /, finding: "system text" },
  { words: /^`function_response\.parts` is not supported/, finding: "media in results" },
  {
    words:
      /^Unable to submit request because it has a (?<parameter>maxOutputTokens) value of \d{1,12} but the supported range is from 1 \(inclusive\) to (?<below>\d{1,12}) \(exclusive\)/,
  },
  { words: /^Function call is missing a thought_signature/, finding: "signatures missing" },
  { words: /^(Text|Image) part is missing a thought_signature/, finding: "signatures of turns missing" },
  { words: /^Unknown name "id" at '[^']{0,120}\.function_(?:call|response)'/, finding: "ids of calls" },
  {
    words:
      /^Unknown name "(?<keyword>\$?[a-z]\w{0,40})" at '(?<request>tools\[\d{1,4}\]\.function_declarations\[\d{1,4}\]\.(?:parameters|response)\b[^']{0,200})'/,
  },
  {
    words:
      /^Unknown name "(?<keyword>\$?[a-z]\w{0,40})" at '(?<request>generation_config\.response_schema\b[^']{0,200})'/,
  },
  { words: /^Unknown name "(?<parameter>\w{1,60})" at '[^']{0,200}'/ },
];
