import { toCount, type Usage } from "../../ir/index.ts";
import { type JsonObject, toObject } from "../../json.ts";
import type { Lose } from "../../loss.ts";
import type { WireUsage } from "./schema.ts";

/** The counts of this wire as far as they are known: input without what the cache took. */
interface Counts {
  input?: number;
  read?: number;
  write?: number;
  writeLong?: number;
  output?: number;
  reasoning?: number;
}

/**
 * Collects counts over a stream. Each is cumulative, so the latest one counts, except that a later zero of the
 * input side is a server that counts only output there. Passes of other kinds than the message itself (the
 * conversation made shorter, a second model asked) are billed and stand in none of the sums: they are added.
 */
export function countUsage(): (wire: JsonObject) => Usage | undefined {
  const counts: Counts = {};
  let passes: Counts[] = [];
  return (wire) => {
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

function countsIn(wire: JsonObject): [name: keyof Counts, count: number][] {
  const created = toObject(wire.cache_creation);
  const short = toCount(created.ephemeral_5m_input_tokens);
  const long = toCount(created.ephemeral_1h_input_tokens);
  const parts = short === undefined && long === undefined ? undefined : (short ?? 0) + (long ?? 0);
  const counts: [name: keyof Counts, count: number | undefined][] = [
    ["input", toCount(wire.input_tokens)],
    ["read", toCount(wire.cache_read_input_tokens)],
    ["write", toCount(wire.cache_creation_input_tokens ?? parts)],
    ["writeLong", long],
    ["output", toCount(wire.output_tokens)],
    ["reasoning", toCount(toObject(wire.output_tokens_details).thinking_tokens)],
  ];
  return counts.filter((entry): entry is [keyof Counts, number] => entry[1] !== undefined);
}

function sum(counts: Counts, more: Counts): Counts {
  const whole = { ...counts };
  for (const [name, count] of Object.entries(more) as [keyof Counts, number][])
    whole[name] = (whole[name] ?? 0) + count;
  return whole;
}

/** No reply takes no tokens: zeros stand where counts are not known, or not yet. */
function inclusive({ input, read, write, writeLong, output, reasoning }: Counts): Usage | undefined {
  const whole = (input ?? 0) + (read ?? 0) + (write ?? 0);
  if (whole === 0 && !output) return undefined;
  return {
    input: whole,
    output: output ?? 0,
    ...(read !== undefined && { cacheRead: read }),
    ...(write !== undefined && { cacheWrite: write }),
    ...(writeLong !== undefined && { cacheWriteLong: writeLong }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

const unsayable = ["audioInput", "audioOutput", "imageInput", "imageOutput"] as const;

/** Counts as this wire says them. Where they are not known it still has to say numbers. */
export function writeUsage(usage: Usage | undefined, lose: Lose): WireUsage {
  if (usage?.input === 0 && usage.output === 0) lose("/usage", "unsupported", "zeros say nothing");
  for (const name of unsayable) if (usage?.[name]) lose(`/usage/${name}`, "unsupported");
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
