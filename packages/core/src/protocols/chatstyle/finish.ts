import { type Failure, type FailureKind, statusOfKind } from "../../ir/failure.ts";
import type { Finish, FinishReason } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type JsonObject, lookup, textOf, toText } from "../../json/json.ts";
import { hasContent } from "./burst.ts";
import type { FinishWord } from "./schema.ts";

const finishWords: Record<string, FinishReason> = {
  stop: "stop",
  eos: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  model_context_window_exceeded: "context_overflow",
  tool_calls: "tool_calls",
  tool_use: "tool_calls",
  function_call: "tool_calls",
  content_filter: "content_filter",
  sensitive: "content_filter",
};

/** Finish reasons of replies that the server could not complete: their text is no answer. */
export const failureWords: ReadonlyMap<string, FailureKind> = new Map([
  ["error", "unavailable"],
  ["network_error", "unavailable"],
  ["insufficient_system_resource", "overloaded"],
]);

/** The failure that a choice ends with. A whole message with content is delivered as it is. */
export function failureOf(choice: JsonObject): Failure | undefined {
  const word = toText(choice.finish_reason);
  const kind = failureWords.get(word);
  if (!kind || hasContent(choice)) return undefined;
  const message = `The provider ended the reply with the finish reason "${word}".`;
  return { kind, status: statusOfKind[kind], code: word, message };
}

/** Other facts of a reply by which its end is read. */
export interface FinishFacts {
  called: boolean;
  refused: boolean;
  empty: boolean;
}

/**
 * Calls decide between stopping and calling; a reply cut or filtered stays that. The choice names the stop sequence that
 * ended it, where the server is vLLM or SGLang.
 */
export function toFinish(
  word: string | undefined,
  { called, refused, empty }: FinishFacts,
  { stop_reason, matched_stop }: JsonObject = {},
): Finish {
  const mapped = word === undefined ? "stop" : lookup(finishWords, word);
  const raw = word === undefined ? {} : { raw: word };
  let reason = mapped ?? "other";
  if (called && (reason === "stop" || reason === "other")) reason = "tool_calls";
  else if (!called && reason === "tool_calls" && !empty) reason = "stop";
  if (reason === "stop" && refused) reason = "refusal";
  // Numbers are those of tokens, and other servers have words for the reason there.
  const sequence = textOf(stop_reason) ?? textOf(matched_stop);
  const isMatched =
    sequence && word === "stop" && reason === "stop" && lookup(finishWords, sequence) === undefined;
  return isMatched ? { reason: "stop_sequence", ...raw, sequence } : { reason, ...raw };
}

/** The wire has only four words for all finishes; a finish that reads back as another is reported. */
export function finishWord(finish: Finish, facts: FinishFacts, path: string, lose: Lose): FinishWord {
  const word = wordFor(finish, facts.refused);
  if (toFinish(word, facts).reason !== finish.reason)
    lose(`${path}/reason`, "approximated", `became ${word}`);
  if (finish.sequence !== undefined) lose(`${path}/sequence`, "unsupported");
  if (finish.note !== undefined) lose(`${path}/note`, "unsupported");
  return word;
}

function wordFor({ reason }: Finish, refused: boolean): FinishWord {
  switch (reason) {
    case "length":
    case "context_overflow":
      return "length";
    case "tool_calls":
      return "tool_calls";
    case "content_filter":
      return "content_filter";
    case "refusal":
      // A refusal with a part of its own ends like any answer on this wire.
      return refused ? "stop" : "content_filter";
    default:
      return "stop";
  }
}
