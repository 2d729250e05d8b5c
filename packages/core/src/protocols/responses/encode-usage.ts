import type { Usage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { UsageWire } from "./schema.ts";

/** Counts that the wire has no place for. */
const unsupportedCounts = [
  "cacheWriteLong",
  "audioInput",
  "audioOutput",
  "imageInput",
  "imageOutput",
] as const;

/** Clients of the wire read the details without asking whether they are there. */
export function writeUsage(usage: Usage, lose: Lose): UsageWire {
  for (const name of unsupportedCounts) if (usage[name]) lose(`/usage/${name}`, "unsupported");
  const { input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = usage;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
