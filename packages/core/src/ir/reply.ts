import type { Failure } from "./failure.ts";
import type { AssistantPart } from "./part.ts";
import type { Usage } from "./usage.ts";

/** The reasons why a model stops, in words that no vendor's wire decides. */
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
/** One of `finishReasons`. */
export type FinishReason = (typeof finishReasons)[number];

/**
 * The reason why a reply ended. `raw` is the wire's own word; `sequence` the stop sequence that matched; `note` an
 * explanation.
 */
export interface Finish {
  /** The reason, from which each wire's own word is made. */
  reason: FinishReason;
  /** The wire's own word: `max_tokens`, `SAFETY`. */
  raw?: string;
  /** The stop sequence that matched. */
  sequence?: string;
  /** An explanation in the vendor's words. */
  note?: string;
}

/** One of the answers to a request. */
export interface Choice {
  /** The answer in order: text, thoughts, calls, media. */
  parts: AssistantPart[];
  /** Why it ended; absent if it did not. */
  finish?: Finish;
}

/** A whole reply: what its events add up to. A choice's parts can be the next request's assistant message as they stand. */
export interface Reply {
  /** The vendor's id of the reply. */
  id?: string;
  /** The model that answered, by the vendor's name. */
  model?: string;
  /** Unix seconds. */
  created?: number;
  /** The alternatives, in the order of their numbers; one unless `params.candidates` asks for more. */
  choices: Choice[];
  /** Token counts, where the vendor reported any. */
  usage?: Usage;
  /** The error that ended the reply before its end. */
  failure?: Failure;
}
