import { atMost, type ParamTable, within } from "../../codec/params.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, lookup } from "../../json/json.ts";

/** Other wires' names for the tiers that this one has. */
const tiers: Record<string, string> = {
  default: "standard",
  standard: "standard",
  flex: "flex",
  priority: "priority",
};

function writeTier(value: string, lose: Lose, path: string): Json | undefined {
  const tier = lookup(tiers, value);
  if (tier === undefined) lose(path, "unsupported", `the target has no tier "${value}"`);
  else if (tier !== value) lose(path, "approximated", `became "${tier}"`);
  return tier;
}

function writeSeed(value: number, lose: Lose, path: string): number {
  const kept = value | 0;
  if (kept !== value) lose(path, "approximated", `became ${kept}: a seed has 32 bits`);
  return kept;
}

export const params = [
  { name: "maxTokens", wire: "generationConfig.maxOutputTokens" },
  { name: "temperature", wire: "generationConfig.temperature", write: within(0, 2) },
  { name: "topP", wire: "generationConfig.topP", write: within(0, 1) },
  { name: "topK", wire: "generationConfig.topK" },
  // The wire refuses 2 itself.
  { name: "frequencyPenalty", wire: "generationConfig.frequencyPenalty", write: within(-2, 1.99) },
  { name: "presencePenalty", wire: "generationConfig.presencePenalty", write: within(-2, 1.99) },
  { name: "seed", wire: "generationConfig.seed", write: writeSeed },
  { name: "stop", wire: "generationConfig.stopSequences", write: atMost(5) },
  { name: "logprobs", wire: "generationConfig.responseLogprobs" },
  { name: "topLogprobs", wire: "generationConfig.logprobs", write: within(0, 20), needs: "logprobs" },
  { name: "candidates", wire: "generationConfig.candidateCount" },
  { name: "labels", wire: "labels" },
  { name: "serviceTier", wire: "serviceTier", write: writeTier },
] as const satisfies ParamTable;

const CONFIG = "generationConfig.";

/** The members of `generationConfig` that are parameters. */
export const configFields: readonly string[] = params.flatMap(({ wire }) =>
  wire.startsWith(CONFIG) ? [wire.slice(CONFIG.length)] : [],
);
