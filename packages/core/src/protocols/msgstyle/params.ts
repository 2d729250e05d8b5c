import { type ParamTable, tierIn, within } from "../../codec/params.ts";
import type { Lose } from "../../ir/loss.ts";

/** Tiers that this wire knows, and what other wires' words for them become. */
const tiers: Record<string, string> = {
  auto: "auto",
  standard_only: "standard_only",
  default: "standard_only",
  standard: "standard_only",
};

const writeTier = tierIn(tiers);

const writeStop = (value: string[], lose: Lose, path: string): string[] | undefined => {
  const kept = value.filter((sequence) => sequence.trim() !== "");
  if (kept.length < value.length)
    lose(path, "approximated", "sequences of nothing but white space are left out");
  return kept.length > 0 ? kept : undefined;
};

export const params = [
  { name: "maxTokens", wire: "max_tokens" },
  { name: "temperature", wire: "temperature", write: within(0, 1) },
  { name: "topP", wire: "top_p", write: within(0, 1) },
  { name: "topK", wire: "top_k" },
  { name: "stop", wire: "stop_sequences", write: writeStop },
  { name: "user", wire: "metadata.user_id" },
  { name: "serviceTier", wire: "service_tier", write: writeTier },
] as const satisfies ParamTable;
