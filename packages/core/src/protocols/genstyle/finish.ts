import type { Finish, FinishReason } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, toText } from "../../json/json.ts";
import type { FinishWord } from "./schema.ts";

const reasons: Record<FinishWord, FinishReason> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  CONTINUATION: "length",
  SAFETY: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  RECITATION: "content_filter",
  LANGUAGE: "content_filter",
  IMAGE_SAFETY: "content_filter",
  IMAGE_PROHIBITED_CONTENT: "content_filter",
  IMAGE_RECITATION: "content_filter",
  MALFORMED_FUNCTION_CALL: "malformed_tool_call",
  UNEXPECTED_TOOL_CALL: "malformed_tool_call",
  TOO_MANY_TOOL_CALLS: "malformed_tool_call",
  MALFORMED_RESPONSE: "malformed_tool_call",
  MISSING_THOUGHT_SIGNATURE: "malformed_tool_call",
  NO_IMAGE: "other",
  IMAGE_OTHER: "other",
  OTHER: "other",
};

const words: Record<FinishReason, FinishWord> = {
  stop: "STOP",
  stop_sequence: "STOP",
  tool_calls: "STOP",
  pause: "STOP",
  compaction: "STOP",
  length: "MAX_TOKENS",
  context_overflow: "MAX_TOKENS",
  content_filter: "SAFETY",
  refusal: "SAFETY",
  malformed_tool_call: "MALFORMED_FUNCTION_CALL",
  other: "OTHER",
};

const isWord = (raw: string): raw is FinishWord => Object.hasOwn(reasons, raw);

/** Words for calls that are whole but not wanted, such as one of an undeclared tool: the caller answers them. */
const unwanted: ReadonlySet<string | undefined> = new Set(["UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"]);

/** The wire ends a reply with calls like any other, so the calls decide, unless it was cut or filtered. */
export function toFinish(raw: string | undefined, called: boolean, note: string | undefined): Finish {
  const mapped = raw === undefined ? "stop" : isWord(raw) ? reasons[raw] : "other";
  const isOpen = mapped === "stop" || mapped === "other" || unwanted.has(raw);
  const reason = called && isOpen ? "tool_calls" : mapped;
  return { reason, ...(raw !== undefined && { raw }), ...(note && { note }) };
}

/** The enum numbers with the same meaning in every version of the wire, for servers that write numbers. */
const numbered: Record<number, FinishWord> = { 1: "STOP", 2: "MAX_TOKENS", 3: "SAFETY", 4: "RECITATION" };

/** The word that a candidate ends with; empty where it has not ended, or not in a word. */
export const finishWordOf = (value: Json | undefined): string =>
  typeof value === "number" ? (numbered[value] ?? "") : toText(value);

/** The wire's word for a finish; reports what the word cannot express. */
export function finishWord(
  { reason, raw, sequence }: Finish,
  called: boolean,
  path: string,
  lose: Lose,
): FinishWord {
  if (sequence !== undefined) lose(`${path}/sequence`, "unsupported");
  const word =
    raw !== undefined && isWord(raw) && toFinish(raw, called, undefined).reason === reason
      ? raw
      : words[reason];
  if (toFinish(word, called, undefined).reason !== reason)
    lose(`${path}/reason`, "approximated", `became ${word}`);
  return word;
}
