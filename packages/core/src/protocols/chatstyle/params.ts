import type { Traits } from "../../codec/codec.ts";
import { atMost, type ParamRow, type ParamTable, within } from "../../codec/params.ts";
import { safetyRow, writeLabels, writeUser } from "../../family/params.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, lookup } from "../../json/json.ts";

/** Tiers that this wire knows, and what other wires' words for them become. */
const tiers: Record<string, string> = {
  auto: "auto",
  default: "default",
  flex: "flex",
  scale: "scale",
  priority: "priority",
  fast: "fast",
  standard: "default",
  standard_only: "default",
};

const writeTier = (value: string, lose: Lose, path: string): string | undefined => {
  const tier = lookup(tiers, value);
  if (tier !== value) lose(path, tier === undefined ? "unsupported" : "approximated");
  return tier;
};

export const params: ParamTable = [
  { name: "maxTokens", wire: "max_completion_tokens", also: ["max_tokens"] },
  { name: "temperature", wire: "temperature", write: within(0, 2) },
  { name: "topP", wire: "top_p", write: within(0, 1) },
  { name: "topK", wire: "top_k" },
  { name: "minP", wire: "min_p" },
  { name: "topA", wire: "top_a" },
  { name: "repetitionPenalty", wire: "repetition_penalty" },
  { name: "frequencyPenalty", wire: "frequency_penalty", write: within(-2, 2) },
  { name: "presencePenalty", wire: "presence_penalty", write: within(-2, 2) },
  { name: "seed", wire: "seed" },
  { name: "stop", wire: "stop", write: atMost(4) },
  {
    name: "logitBias",
    wire: "logit_bias",
    read: (value) => (isObject(value) ? (value as never) : undefined),
  },
  { name: "logprobs", wire: "logprobs" },
  { name: "topLogprobs", wire: "top_logprobs", write: within(0, 20), needs: "logprobs" },
  { name: "candidates", wire: "n" },
  { name: "verbosity", wire: "verbosity" },
  { name: "serviceTier", wire: "service_tier", write: writeTier },
  // The older of two spellings: every server of this wire knows it.
  { name: "user", wire: "user", also: ["safety_identifier"], write: writeUser },
  safetyRow,
  { name: "cacheKey", wire: "prompt_cache_key" },
  { name: "store", wire: "store" },
  { name: "labels", wire: "metadata", write: writeLabels },
];

/** Members that many servers of this wire take, but the standard does not know. */
const extensions = new Set(["top_k", "min_p", "top_a", "repetition_penalty"]);

const sampling = new Set([
  "temperature",
  "topP",
  "topK",
  "minP",
  "topA",
  "repetitionPenalty",
  "frequencyPenalty",
  "presencePenalty",
]);

/** The rows that a model with these traits takes, as it spells them. */
export function paramsFor(traits: Traits): ParamTable {
  const isAccepted = (row: ParamRow): boolean =>
    (!extensions.has(row.wire) || traits.extensions?.includes(row.wire) === true) &&
    (traits.sampling !== false || !sampling.has(row.name));
  const limit = traits.maxTokensField;
  return params
    .filter(isAccepted)
    .map((row) => (row.name === "maxTokens" && limit !== undefined ? { ...row, wire: limit } : row));
}
