import { isSound } from "../../family/counts.ts";
import { type Reported, toCount, type Usage } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, numberOf, toArray, toObject } from "../../json/json.ts";

/** The usage in a chunk, in any of the places where servers put it. */
export function findUsage(chunk: JsonObject): JsonObject | undefined {
  if (isObject(chunk.usage)) return chunk.usage;
  const [choice] = toArray(chunk.choices);
  if (isObject(choice) && isObject(choice.usage)) return choice.usage;
  for (const key of Object.keys(chunk)) {
    const vendor = key.startsWith("x_") ? toObject(chunk[key]).usage : undefined;
    if (isObject(vendor)) return vendor;
  }
  return undefined;
}

/**
 * Counts as the wire reports them; a detail greater than its total is not a part of it. Each report is complete,
 * so a later one corrects a malformed one.
 */
export function readUsage(wire: JsonObject): Reported | undefined {
  const into = toObject(wire.prompt_tokens_details ?? wire.input_tokens_details);
  const outOf = toObject(wire.completion_tokens_details ?? wire.output_tokens_details);
  if (!isSound(wire, into, outOf)) return {};
  const total = toCount(wire.total_tokens);
  // Some servers count in the words of the other wires.
  const prompt = toCount(wire.prompt_tokens) ?? toCount(wire.input_tokens);
  const completion = toCount(wire.completion_tokens) ?? toCount(wire.output_tokens);
  const input = prompt ?? difference(total, completion);
  let output = completion ?? difference(total, prompt);
  if (input === undefined || output === undefined) return undefined;
  const thought = toCount(outOf.reasoning_tokens);
  // Some servers leave the reasoning out of the completion, and only the total shows it.
  if (thought && total === input + output + thought) output += thought;
  const usage: Usage = { input, output };
  // Aggregators say what the call cost them.
  const cost = numberOf(wire.cost);
  if (cost !== undefined && cost >= 0) usage.upstreamUsd = cost;
  const { prompt_cache_hit_tokens: hit, cached_tokens: cached } = wire;
  const created = into.cache_creation_input_tokens ?? wire.cache_creation_input_tokens;
  note(usage, "cacheRead", input, into.cached_tokens, hit, cached);
  note(usage, "cacheWrite", input, into.cache_write_tokens, into.cache_creation_tokens, created);
  note(usage, "reasoning", output, thought);
  note(usage, "audioInput", input, into.audio_tokens);
  note(usage, "audioOutput", output, outOf.audio_tokens);
  note(usage, "imageInput", input, into.image_tokens);
  note(usage, "imageOutput", output, outOf.image_tokens);
  return { usage };
}

/** Notes the first of the values that is a count of a part of `whole`, if there is one. */
function note(usage: Usage, part: keyof Usage, whole: number, ...values: (Json | undefined)[]): void {
  for (const value of values) {
    const count = toCount(value);
    if (count === undefined || count > whole) continue;
    usage[part] = count;
    return;
  }
}

const difference = (total: number | undefined, part: number | undefined): number | undefined =>
  total === undefined || part === undefined || part > total ? undefined : total - part;
