import type { Finish, FinishReason } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type JsonObject, lookup, textOf, toObject } from "../../json/json.ts";
import type { StopReason } from "./schema.ts";

const reasons: Record<StopReason, FinishReason> = {
  end_turn: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  stop_sequence: "stop_sequence",
  guardrail_intervened: "content_filter",
  content_filtered: "content_filter",
  malformed_model_output: "other",
  malformed_tool_use: "malformed_tool_call",
  model_context_window_exceeded: "context_overflow",
};

/** The finish in the record that ends a message; `calls` says whether it held any. */
export function readFinish(record: JsonObject, calls: boolean): Finish {
  const raw = textOf(record.stopReason);
  const reason = raw ? (lookup(reasons, raw) ?? "other") : "stop";
  const sequence = textOf(toObject(record.additionalModelResponseFields).stop_sequence);
  return {
    // Some models end a turn with calls like any other; agents would stop there.
    reason: calls && (reason === "stop" || reason === "other") ? "tool_calls" : reason,
    ...(raw && { raw }),
    ...(sequence !== undefined && { sequence }),
  };
}

const words: Record<FinishReason, StopReason> = {
  stop: "end_turn",
  stop_sequence: "stop_sequence",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "content_filtered",
  refusal: "content_filtered",
  pause: "end_turn",
  compaction: "end_turn",
  context_overflow: "model_context_window_exceeded",
  malformed_tool_call: "malformed_tool_use",
  other: "malformed_model_output",
};

/** The end of a message on the wire. `refused` says that its text was a refusal, `calls` that it held calls. */
export function writeFinish(
  { reason, raw, sequence, note }: Finish,
  { refused, calls }: { refused: boolean; calls: boolean },
  lose: Lose,
): JsonObject {
  const known = raw !== undefined && lookup(reasons, raw) === reason ? raw : undefined;
  const word = refused && reason === "stop" ? "content_filtered" : (known ?? words[reason]);
  if (readFinish({ stopReason: word }, calls).reason !== reason)
    lose("/choices/0/finish/reason", "approximated", `became ${word}`);
  if (note !== undefined) lose("/choices/0/finish/note", "unsupported");
  const more = sequence !== undefined && { additionalModelResponseFields: { stop_sequence: sequence } };
  return { stopReason: word, ...more };
}
