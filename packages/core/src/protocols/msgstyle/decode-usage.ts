import { type Reported, toCount } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, toObject } from "../../json/json.ts";

/** The known counts of this wire; `input` excludes cached tokens. A malformed count is `NaN`. */
interface Counts {
  input?: number;
  read?: number;
  write?: number;
  writeShort?: number;
  writeLong?: number;
  output?: number;
  reasoning?: number;
}

/**
 * Collects counts over a stream. Each is cumulative, so the latest one counts, except that a later zero of the
 * input side is a server that counts only output there. A malformed one replaces the earlier one too, so that only a
 * later value of the same count corrects it; a report that is not an object makes the output count malformed. Passes
 * other than the message itself (a compaction of the conversation, a call of a second model) are billed but are in
 * none of the sums, so they are added.
 */
export function countUsage(): (wire: Json) => Reported | undefined {
  const counts: Counts = {};
  let passes: Counts[] = [];
  return (json) => {
    const wire: JsonObject = isObject(json) ? json : { output_tokens: Number.NaN };
    for (const [name, count] of countsIn(wire)) {
      const stale = count === 0 && name !== "output" && name !== "reasoning" && counts[name] !== undefined;
      if (!stale) counts[name] = count;
    }
    if (Array.isArray(wire.iterations))
      passes = wire.iterations
        .map(toObject)
        .filter(({ type }) => typeof type === "string" && type !== "message")
        .map((pass) => Object.fromEntries(countsIn(pass)));
    return inclusive(passes.reduce(sum, counts));
  };
}

/** A count; `NaN` for anything else, which sums carry on; undefined where the member is absent. */
const figure = (value: Json | undefined): number | undefined =>
  value === undefined || value === null ? undefined : (toCount(value) ?? Number.NaN);

function countsIn(wire: JsonObject): [name: keyof Counts, count: number][] {
  const created = toObject(wire.cache_creation);
  const short = figure(created.ephemeral_5m_input_tokens);
  const long = figure(created.ephemeral_1h_input_tokens);
  const parts = short === undefined && long === undefined ? undefined : (short ?? 0) + (long ?? 0);
  const counts: [name: keyof Counts, count: number | undefined][] = [
    ["input", figure(wire.input_tokens)],
    ["read", figure(wire.cache_read_input_tokens)],
    ["write", figure(wire.cache_creation_input_tokens) ?? parts],
    ["writeShort", short],
    ["writeLong", long],
    ["output", figure(wire.output_tokens)],
    ["reasoning", figure(toObject(wire.output_tokens_details).thinking_tokens)],
  ];
  return counts.filter((entry): entry is [keyof Counts, number] => entry[1] !== undefined);
}

function sum(counts: Counts, more: Counts): Counts {
  const whole = { ...counts };
  for (const [name, count] of Object.entries(more) as [keyof Counts, number][])
    whole[name] = (whole[name] ?? 0) + count;
  return whole;
}

/** Zeros stand for counts that are unknown, or not yet known, because every reply takes tokens. */
function inclusive(counts: Counts): Reported | undefined {
  if (Object.values(counts).some(Number.isNaN)) return {};
  const { input, read, write, writeLong, output, reasoning } = counts;
  if (input === undefined || output === undefined) return undefined;
  const whole = input + (read ?? 0) + (write ?? 0);
  if (whole === 0 && output === 0) return undefined;
  const usage = {
    input: whole,
    output,
    ...(read !== undefined && { cacheRead: read }),
    ...(write !== undefined && { cacheWrite: write }),
    ...(writeLong !== undefined && { cacheWriteLong: writeLong }),
    ...(reasoning !== undefined && { reasoning }),
  };
  return { usage };
}
