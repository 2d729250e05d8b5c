import { type ParamTable, within } from "../../codec/params.ts";
import { safetyRow, writeLabels, writeUser } from "../../family/params.ts";
import type { Lose } from "../../ir/loss.ts";
import { lookup } from "../../json/json.ts";
import { array, string } from "../../schema/node.ts";

/** The request for the probability of each token. */
export const LOGPROBS = "message.output_text.logprobs";

/** Words of other wires for a tier of this one; every other word passes. */
const tiers: Record<string, string> = { standard: "default", standard_only: "default" };

const writeTier = (value: string): string => lookup(tiers, value) ?? value;

const writeLogprobs = (value: boolean, lose: Lose, path: string): string[] | undefined => {
  if (value) return [LOGPROBS];
  lose(path, "unsupported", "left out, which means the same");
  return undefined;
};

export const params = [
  { name: "maxTokens", wire: "max_output_tokens", write: within(16, Number.MAX_SAFE_INTEGER) },
  { name: "temperature", wire: "temperature", write: within(0, 2) },
  { name: "topP", wire: "top_p", write: within(0, 1) },
  {
    name: "logprobs",
    wire: "include",
    schema: array(string()),
    read: (value) => (Array.isArray(value) && value.includes(LOGPROBS) ? true : undefined),
    write: writeLogprobs,
  },
  { name: "topLogprobs", wire: "top_logprobs", write: within(0, 20) },
  { name: "verbosity", wire: "text.verbosity" },
  { name: "serviceTier", wire: "service_tier", write: writeTier },
  { name: "user", wire: "safety_identifier", also: ["user"], write: writeUser },
  safetyRow,
  { name: "cacheKey", wire: "prompt_cache_key" },
  { name: "store", wire: "store" },
  { name: "labels", wire: "metadata", write: writeLabels },
] as const satisfies ParamTable;

/** The rows for a request. Each of two user ids has its own member. */
export const paramsFor = (twoIds: boolean): ParamTable =>
  twoIds ? params.map((row) => (row.name === "user" ? { ...row, wire: "user" } : row)) : params;
