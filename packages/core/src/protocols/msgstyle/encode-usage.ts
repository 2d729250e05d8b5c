import type { Usage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { WireUsage } from "./schema.ts";

const unsupportedCounts = ["audioInput", "audioOutput", "imageInput", "imageOutput"] as const;

/** Counts as this wire writes them. It needs numbers even where they are not known. */
export function writeUsage(usage: Usage | undefined, lose: Lose): WireUsage {
  if (usage?.input === 0 && usage.output === 0) lose("/usage", "unsupported", "zeros say nothing");
  for (const name of unsupportedCounts) if (usage?.[name]) lose(`/usage/${name}`, "unsupported");
  const { input = 0, output = 0, cacheRead, cacheWrite, cacheWriteLong, reasoning } = usage ?? {};
  return {
    input_tokens: Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    output_tokens: output,
    cache_creation_input_tokens: cacheWrite ?? null,
    cache_read_input_tokens: cacheRead ?? null,
    cache_creation:
      cacheWriteLong === undefined
        ? null
        : {
            ephemeral_5m_input_tokens: Math.max(0, (cacheWrite ?? 0) - cacheWriteLong),
            ephemeral_1h_input_tokens: cacheWriteLong,
          },
    output_tokens_details: reasoning === undefined ? null : { thinking_tokens: reasoning },
    server_tool_use: null,
  };
}
