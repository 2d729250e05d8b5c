import { isSound } from "../../family/counts.ts";
import { toCount, type Usage } from "../../ir/index.ts";
import { type Json, toObject } from "../../json/json.ts";

/** The one report of a reply: counts, or undefined if a figure is missing or malformed. */
export function readUsage(json: Json | undefined): Usage | undefined {
  const wire = toObject(json);
  const into = toObject(wire.input_tokens_details);
  const outOf = toObject(wire.output_tokens_details);
  if (!isSound(wire, into, outOf)) return undefined;
  const input = toCount(wire.input_tokens);
  const output = toCount(wire.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const within = (whole: number, value: Json | undefined): number | undefined => {
    const count = toCount(value);
    return count !== undefined && count <= whole ? count : undefined;
  };
  const details: Omit<Usage, "input" | "output"> = {
    cacheRead: within(input, into.cached_tokens),
    cacheWrite: within(input, into.cache_write_tokens),
    audioInput: within(input, into.audio_tokens),
    imageInput: within(input, into.image_tokens),
    reasoning: within(output, outOf.reasoning_tokens),
    audioOutput: within(output, outOf.audio_tokens),
    imageOutput: within(output, outOf.image_tokens),
  };
  const usage: Usage = { input, output };
  for (const [name, count] of Object.entries(details))
    if (count !== undefined) usage[name as keyof Usage] = count;
  return usage;
}
