import { atMost, type ParamTable, tierIn, within } from "../../codec/params.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, toArray } from "../../json/json.ts";

/** Other wires' names for the tiers that this one has. */
const tiers: Record<string, string> = {
  default: "standard",
  standard: "standard",
  standard_only: "standard",
  flex: "flex",
  priority: "priority",
};

const writeTier = tierIn(tiers);

function writeSeed(value: number, lose: Lose, path: string): number {
  const kept = value | 0;
  if (kept !== value) lose(path, "approximated", `became ${kept}: a seed has 32 bits`);
  return kept;
}

/** The labels that the wire's billing takes: it refuses a request with any other. */
const KEY = /^\p{Ll}[\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u;
const VALUE = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;

function writeLabels(value: Record<string, string>, lose: Lose, path: string): Json | undefined {
  const entries = Object.entries(value);
  const kept = entries.filter(([key, text]) => KEY.test(key) && VALUE.test(text));
  if (kept.length < entries.length)
    lose(path, "approximated", "labels are lower-case letters, digits, _ and -, up to 63 of them");
  return kept.length > 0 || entries.length === 0 ? Object.fromEntries(kept) : undefined;
}

/** The wire's own words are in capitals; clients write them in any case. */
function readModalities(value: Json): string[] | undefined {
  const words = toArray(value).flatMap((word) => (typeof word === "string" ? word.toLowerCase() : []));
  return words.length > 0 ? words : undefined;
}

/** Models that speak refuse to be asked for text beside the sound. */
function writeModalities(value: string[], lose: Lose, path: string): string[] {
  const kept = value.includes("audio") ? ["audio"] : value;
  if (kept.length < value.length) lose(path, "approximated", "sound comes without a text beside it");
  return kept.map((word) => word.toUpperCase());
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
  {
    name: "modalities",
    wire: "generationConfig.responseModalities",
    read: readModalities,
    write: writeModalities,
  },
  {
    name: "voice",
    wire: "generationConfig.speechConfig.voiceConfig.prebuiltVoiceConfig.voiceName",
  },
  { name: "imageRatio", wire: "generationConfig.imageConfig.aspectRatio" },
  { name: "imageSize", wire: "generationConfig.imageConfig.imageSize" },
  { name: "labels", wire: "labels", write: writeLabels },
  { name: "serviceTier", wire: "serviceTier", write: writeTier },
] as const satisfies ParamTable;

const below = (record: string): readonly string[] =>
  params.flatMap(({ wire }) => {
    const name = wire.startsWith(`${record}.`) ? wire.slice(record.length + 1) : ".";
    return name.includes(".") ? [] : [name];
  });

/** The members of `generationConfig` that are parameters. */
export const configFields: readonly string[] = below("generationConfig");
/** The members of its `imageConfig` that are. */
export const imageFields: ReadonlySet<string> = new Set(below("generationConfig.imageConfig"));
