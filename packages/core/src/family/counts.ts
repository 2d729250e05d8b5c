import { toCount } from "../ir/index.ts";
import type { JsonObject } from "../json/json.ts";

/**
 * The members in which the wires count. Members that merely end alike are a server's own: rates, limits, records of
 * some sort.
 */
const figures = new Set([
  "prompt_tokens",
  "completion_tokens",
  "input_tokens",
  "output_tokens",
  "total_tokens",
  "cached_tokens",
  "cache_write_tokens",
  "cache_creation_tokens",
  "cache_creation_input_tokens",
  "prompt_cache_hit_tokens",
  "reasoning_tokens",
  "audio_tokens",
  "image_tokens",
  "video_tokens",
]);

/** Checks whether the figures of these records are counts, as far as they are there. */
export function isSound(...records: JsonObject[]): boolean {
  for (const record of records)
    for (const name in record)
      if (figures.has(name) && toCount(record[name] ?? 0) === undefined) return false;
  return true;
}
