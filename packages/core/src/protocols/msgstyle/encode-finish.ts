import type { Finish, FinishReason } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { reasons } from "./finish.ts";
import type { Ending, StopReason } from "./schema.ts";

const words: Record<FinishReason, StopReason> = {
  stop: "end_turn",
  stop_sequence: "stop_sequence",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
  refusal: "refusal",
  pause: "pause_turn",
  // Not in the type that clients know, but servers of this wire send it.
  compaction: "compaction" as StopReason,
  context_overflow: "model_context_window_exceeded",
  malformed_tool_call: "end_turn",
  other: "end_turn",
};

/** The end of a reply on the wire. `refused` says that the text was a refusal. */
export function writeFinish({ reason, sequence, note }: Finish, refused: boolean, lose: Lose): Ending {
  const word = refused && reason === "stop" ? "refusal" : words[reason];
  if (reasons[word] !== reason) lose("/choices/0/finish/reason", "approximated", `became ${word}`);
  if (note !== undefined && word !== "refusal") lose("/choices/0/finish/note", "unsupported");
  return {
    stop_reason: word,
    stop_sequence: sequence ?? null,
    stop_details: word === "refusal" ? { type: "refusal", category: null, explanation: note ?? null } : null,
    container: null,
  };
}
