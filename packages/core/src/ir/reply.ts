import type { Failure } from "./failure.ts";
import type { AssistantPart } from "./part.ts";
import type { Usage } from "./usage.ts";

export const finishReasons = [
  "stop",
  "stop_sequence",
  "length",
  "tool_calls",
  "content_filter",
  "refusal",
  "pause",
  "compaction",
  "context_overflow",
  "malformed_tool_call",
  "other",
] as const;
export type FinishReason = (typeof finishReasons)[number];

/**
 * The reason why a reply ended. `raw` is the wire's own word; `sequence` the stop sequence that matched; `note` an
 * explanation.
 */
export interface Finish {
  reason: FinishReason;
  raw?: string;
  sequence?: string;
  note?: string;
}

/** One of the answers to a request. */
export interface Choice {
  parts: AssistantPart[];
  finish?: Finish;
}

/** A whole reply: what its events add up to. A choice's parts can be the next request's assistant message as they stand. */
export interface Reply {
  id?: string;
  model?: string;
  /** Unix seconds. */
  created?: number;
  choices: Choice[];
  usage?: Usage;
  failure?: Failure;
}
