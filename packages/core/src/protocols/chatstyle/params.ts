import { textOrTexts } from "../../codec/param-schemas.ts";
import { atMost, type ParamRow, type ParamTable, tierIn, within } from "../../codec/params.ts";
import type { Traits } from "../../codec/traits.ts";
import { safetyRow, writeLabels, writeUser } from "../../family/params.ts";
import { factOf, type ParamName, type paramFacts, paramNames } from "../../ir/params.ts";
import { lookup } from "../../json/json.ts";
import { record, string, union } from "../../schema/node.ts";

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

const writeTier = tierIn(tiers);

/** The places of those parameters beyond the standard that share a member. */
const shared = {
  voice: "audio.voice",
  imageRatio: "image_config.aspect_ratio",
  imageSize: "image_config.image_size",
} as const satisfies { [Name in ParamName]?: string };

/** Some servers have voices that are uploaded, which only they know. */
const voice = union([string(), record("must be a text or an object")]);

type ExtensionRow = {
  [Name in ParamName]: (typeof paramFacts)[Name] extends { extension: infer Wire extends string }
    ? { name: Name; wire: Name extends keyof typeof shared ? (typeof shared)[Name] : Wire }
    : never;
}[ParamName];

/** Parameters that many servers of this wire take, but the standard does not know. */
const extensionRows = paramNames.flatMap((name) => {
  const { extension } = factOf(name);
  if (extension === undefined) return [];
  const schema = name === "voice" && { schema: voice };
  return [{ name, wire: lookup<string>(shared, name) ?? extension, ...schema }];
}) as ExtensionRow[];

export const params = [
  { name: "maxTokens", wire: "max_completion_tokens", also: ["max_tokens"] },
  { name: "temperature", wire: "temperature", write: within(0, 2) },
  { name: "topP", wire: "top_p", write: within(0, 1) },
  ...extensionRows,
  { name: "frequencyPenalty", wire: "frequency_penalty", write: within(-2, 2) },
  { name: "presencePenalty", wire: "presence_penalty", write: within(-2, 2) },
  { name: "seed", wire: "seed" },
  { name: "stop", wire: "stop", schema: textOrTexts, write: atMost(4) },
  { name: "logitBias", wire: "logit_bias" },
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
] as const satisfies ParamTable;

/** The rows that a model with these traits takes, as it spells them. */
export function paramsFor({ extensions: taken = [], maxTokensField, seedField }: Traits): ParamTable {
  const spellings: { [Name in ParamName]?: string | undefined } = {
    maxTokens: maxTokensField,
    seed: seedField,
  };
  return params
    .filter(({ name }: ParamRow) => {
      const { extension } = factOf(name);
      return extension === undefined || taken.includes(extension);
    })
    .map((row: ParamRow) => {
      const wire = spellings[row.name];
      return wire === undefined ? row : { ...row, wire };
    });
}
