import type { Json } from "../json/json.ts";
import type { Failure } from "./failure.ts";
import type {
  CallPart,
  Citation,
  MediaPart,
  OpaquePart,
  Protocol,
  ReasoningPart,
  Seal,
  TextPart,
  TokenLogprob,
} from "./part.ts";
import type { Finish } from "./reply.ts";
import type { Reported } from "./usage.ts";

/**
 * The first thing known of a part. Text, reasoning and arguments follow as deltas; media and opaque parts come whole.
 */
export type Opening =
  | Omit<TextPart, "text" | "citations" | "logprobs" | "cache">
  | Omit<ReasoningPart, "text">
  | Omit<CallPart, "arguments" | "cache">
  | MediaPart
  | OpaquePart;

/**
 * The IR's unit of a reply. `index` names a part, counted from 0 over the whole reply in order of opening; parts
 * may be open side by side. `choice` (default 0) is the alternative that a part or a finish belongs to.
 */
export type Event =
  | { type: "start"; id?: string; model?: string; created?: number }
  | { type: "open"; index: number; choice?: number; part: Opening }
  | { type: "delta"; index: number; text: string }
  | { type: "cite"; index: number; citation: Citation }
  | { type: "logprobs"; index: number; tokens: TokenLogprob[] }
  | { type: "close"; index: number; seal?: Seal }
  /**
   * Cumulative: the last one counts. One without counts takes back the ones before: the provider's figures are
   * malformed.
   */
  | ({ type: "usage" } & Reported)
  | ({ type: "finish"; choice?: number } & Finish)
  | { type: "failure"; failure: Failure }
  /** Something said outside any part. */
  | { type: "opaque"; protocol: Protocol; value: Json };
