import { areCounts, type Reported, toCount, type Usage } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, toArray, toObject } from "../../json/json.ts";

/**
 * Counts are cumulative and come field by field. The latest value of each counts, even a malformed one, so that only
 * a later value of the same field corrects it. A report that is not an object makes the output count malformed.
 */
export function mergeUsage(previous: JsonObject, json: Json): JsonObject {
  if (!isObject(json)) return { ...previous, candidatesTokenCount: Number.NaN };
  const out = { ...previous };
  for (const [key, value] of Object.entries(json))
    if (key.endsWith("Details") ? Array.isArray(value) : key.endsWith("TokenCount") && value !== null)
      out[key] = value;
  return out;
}

const countsIn = (counts: JsonObject): (Json | undefined)[] =>
  Object.entries(counts).flatMap(([key, value]) =>
    key.endsWith("Details") ? toArray(value).map((entry) => toObject(entry).tokenCount) : [value],
  );

function modality(lists: (Json | undefined)[], name: string): number | undefined {
  const counts = lists.flatMap((list) =>
    toArray(list).flatMap((entry) => {
      const count = isObject(entry) && entry.modality === name ? toCount(entry.tokenCount) : undefined;
      return count ?? [];
    }),
  );
  return counts.length > 0 ? toCount(counts.reduce((sum, count) => sum + count, 0)) : undefined;
}

/** Inclusive counts from the wire's exclusive ones; undefined until the prompt's count is known. */
export function toUsage(counts: JsonObject): Reported | undefined {
  if (!areCounts(countsIn(counts))) return {};
  const prompt = toCount(counts.promptTokenCount);
  const candidates = toCount(counts.candidatesTokenCount);
  const reasoning = toCount(counts.thoughtsTokenCount);
  if (prompt === undefined) return undefined;
  const { promptTokensDetails, toolUsePromptTokensDetails, candidatesTokensDetails } = counts;
  const usage: Usage = {
    input: prompt + (toCount(counts.toolUsePromptTokenCount) ?? 0),
    output: (candidates ?? 0) + (reasoning ?? 0),
  };
  const details: Partial<Usage> = {
    cacheRead: toCount(counts.cachedContentTokenCount),
    reasoning,
    audioInput: modality([promptTokensDetails, toolUsePromptTokensDetails], "AUDIO"),
    audioOutput: modality([candidatesTokensDetails], "AUDIO"),
    imageInput: modality([promptTokensDetails, toolUsePromptTokensDetails], "IMAGE"),
    imageOutput: modality([candidatesTokensDetails], "IMAGE"),
  };
  for (const [key, value] of Object.entries(details))
    if (value !== undefined) usage[key as keyof Usage] = value;
  return { usage };
}
