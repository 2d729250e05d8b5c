/** What the words of a refusal say of a model, where that is more than one parameter's name. */
export type Finding =
  | "developer role"
  | "system text"
  | "system text after the first turn"
  | "free-text tools"
  | "effort beside functions"
  | "temperature beside top_p"
  | "sampling"
  | "sampling while thinking"
  | "thinking"
  | "thinking off"
  | "thinking by budget"
  | "thinking by effort"
  | "budgets instead of levels"
  | "levels instead of budgets"
  | "effort beside a switch"
  | "forced choice"
  | "forced choice while thinking"
  | "several calls"
  | "assistant turn last"
  | "assistant turn first"
  | "assistant turn empty"
  | "user turn after results"
  | "turns of one role"
  | "lists of texts"
  | "media"
  | "media in results"
  | "signatures missing"
  | "signatures of turns missing"
  | "format"
  | "format by schema"
  | "format beside functions"
  | "format while thinking"
  | "usage of streams"
  | "thoughts missing"
  | "thoughts missing at calls"
  | "thoughts sent"
  | "ids of calls"
  | "spelling of call ids"
  | "schemas in the newer dialect"
  | "strict tools"
  | "functions without parameters"
  | "regular expressions"
  | "penalties"
  | "answers at once";

/**
 * One form of words in which a provider refuses a request. Its pattern begins where the statement does, because a
 * provider repeats words of the request, and has groups: `parameter`; `value`, the refused one; `allowed`, a list;
 * `instead`, the parameter to use; `most`, the largest number; `least`, the smallest; `below`, the number that it stays
 * below; `keyword` of a schema; `request`, words that repeat the request and are not shown.
 */
export interface Phrase {
  words: RegExp;
  /** The parameter, where neither the words nor the body name it. */
  parameter?: string;
  /** What is refused, if more than a parameter. */
  finding?: Finding;
  /** Servers whose templates fail say it with a 500. */
  template?: true;
}
