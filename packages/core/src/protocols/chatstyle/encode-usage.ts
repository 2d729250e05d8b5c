import type { Usage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { UsageWire } from "./schema.ts";

export function writeUsage(usage: Usage, lose: Lose): UsageWire {
  const { input, output, cacheRead, cacheWrite, audioInput, imageInput } = usage;
  const { reasoning, audioOutput, imageOutput } = usage;
  if (usage.cacheWriteLong) lose("/usage/cacheWriteLong", "unsupported");
  const into = {
    ...(cacheRead !== undefined && { cached_tokens: cacheRead }),
    ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
    ...(audioInput !== undefined && { audio_tokens: audioInput }),
    ...(imageInput !== undefined && { image_tokens: imageInput }),
  };
  const outOf = {
    ...(reasoning !== undefined && { reasoning_tokens: reasoning }),
    ...(audioOutput !== undefined && { audio_tokens: audioOutput }),
    ...(imageOutput !== undefined && { image_tokens: imageOutput }),
  };
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(Object.keys(into).length > 0 && { prompt_tokens_details: into }),
    ...(Object.keys(outOf).length > 0 && { completion_tokens_details: outOf }),
  };
}
