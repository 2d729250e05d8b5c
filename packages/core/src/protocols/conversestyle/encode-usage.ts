import type { Usage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { WireUsage } from "./schema.ts";

const unsupportedCounts = ["reasoning", "audioInput", "audioOutput", "imageInput", "imageOutput"] as const;

/** Counts as this wire writes them. It needs numbers even where they are not known. */
export function writeUsage(usage: Usage | undefined, lose: Lose): WireUsage {
  if (usage?.input === 0 && usage.output === 0) lose("/usage", "unsupported", "zeros say nothing");
  for (const name of unsupportedCounts) if (usage?.[name]) lose(`/usage/${name}`, "unsupported");
  const { input = 0, output = 0, cacheRead, cacheWrite, cacheWriteLong } = usage ?? {};
  return {
    inputTokens: Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    outputTokens: output,
    totalTokens: input + output,
    ...(cacheRead !== undefined && { cacheReadInputTokens: cacheRead }),
    ...(cacheWrite !== undefined && { cacheWriteInputTokens: cacheWrite }),
    ...(cacheWriteLong !== undefined && {
      cacheDetails: [
        { ttl: "1h", inputTokens: cacheWriteLong },
        { ttl: "5m", inputTokens: Math.max(0, (cacheWrite ?? 0) - cacheWriteLong) },
      ],
    }),
  };
}
