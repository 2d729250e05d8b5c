import { type ParamTable, tierIn, within } from "../../codec/params.ts";
import type { Lose } from "../../ir/loss.ts";

/** Tiers that this wire knows, and what other wires' words for them become. */
const tiers: Record<string, string> = {
  default: "default",
  standard: "default",
  standard_only: "default",
  flex: "flex",
  priority: "priority",
  reserved: "reserved",
};

const writeTier = tierIn(tiers);

function writeStop(value: string[], lose: Lose, path: string): string[] | undefined {
  const kept = value.filter((sequence) => sequence !== "");
  if (kept.length < value.length) lose(path, "approximated", "empty sequences are left out");
  return kept.length > 0 ? kept : undefined;
}

export const params = [
  { name: "maxTokens", wire: "inferenceConfig.maxTokens" },
  { name: "temperature", wire: "inferenceConfig.temperature", write: within(0, 1) },
  { name: "topP", wire: "inferenceConfig.topP", write: within(0, 1) },
  { name: "stop", wire: "inferenceConfig.stopSequences", write: writeStop },
  // Members of single models, which only a model with the trait `modelFields` gets.
  { name: "topK", wire: "additionalModelRequestFields.top_k" },
  { name: "labels", wire: "requestMetadata" },
  { name: "serviceTier", wire: "serviceTier.type", write: writeTier },
] as const satisfies ParamTable;

/** The members of a nested record that are parameters. */
export const fieldsOf = (record: string): ReadonlySet<string> =>
  new Set(
    params.flatMap(({ wire }) => (wire.startsWith(`${record}.`) ? [wire.slice(record.length + 1)] : [])),
  );
