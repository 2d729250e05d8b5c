import { areCounts, type Reported, toCount, type Usage } from "../../ir/index.ts";
import { isObject, type Json, toArray, toObject } from "../../json/json.ts";

/** The counts of a report: `inputTokens` excludes what was read from a cache or written to one. */
export function toUsage(json: Json): Reported | undefined {
  if (!isObject(json)) return {};
  const { inputTokens, outputTokens, totalTokens, cacheReadInputTokens, cacheWriteInputTokens } = json;
  const details = toArray(json.cacheDetails).map(toObject);
  const figures = [inputTokens, outputTokens, totalTokens, cacheReadInputTokens, cacheWriteInputTokens];
  if (!areCounts([...figures, ...details.map((detail) => detail.inputTokens)])) return {};
  const [input, output] = [toCount(inputTokens), toCount(outputTokens)];
  if (input === undefined || output === undefined) return undefined;
  const [cacheRead, cacheWrite] = [toCount(cacheReadInputTokens), toCount(cacheWriteInputTokens)];
  const long = details.filter(({ ttl }) => ttl === "1h");
  const cacheWriteLong = long.reduce((sum, detail) => sum + (toCount(detail.inputTokens) ?? 0), 0);
  const whole = input + (cacheRead ?? 0) + (cacheWrite ?? 0);
  if (whole === 0 && output === 0) return undefined;
  const usage: Usage = {
    input: whole,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(long.length > 0 && { cacheWriteLong }),
  };
  return { usage };
}
