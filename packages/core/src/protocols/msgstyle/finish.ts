import type { FinishReason } from "../../ir/index.ts";

export const reasons: Record<string, FinishReason> = {
  end_turn: "stop",
  max_tokens: "length",
  stop_sequence: "stop_sequence",
  tool_use: "tool_calls",
  pause_turn: "pause",
  refusal: "refusal",
  compaction: "compaction",
  model_context_window_exceeded: "context_overflow",
};
