import type { Observation, Usage } from "@manifold-gateway/core";
import type { CallCounts, CallUnit } from "@manifold-gateway/core/codec";
import type { JsonBody } from "../http/json-body.ts";
import type { LazyJson } from "../http/lazy-json.ts";
import type { Entry } from "../ports/catalog.ts";
import type { HoldFigures } from "../ports/limits.ts";
import { inputBound, inputEstimate, largestAt, TOKEN_BYTES } from "./tokens.ts";

/** A provider's figure that cannot be: none where there was something, or more than there can have been. */
export type ImpossibleFigure = "input" | "output" | "calls";

/** The most tokens that a request can have come to. */
export interface MostTokens {
  input(): number;
  output(): number;
}

/** No model's context is larger, in tokens; for entries that do not say how large it is. */
const LARGEST_CONTEXT = 10_000_000;
/**
 * The number of times that one request may fill the context: a conversation may be made shorter in a pass of its own,
 * and tools of the provider take one for each call.
 */
const PASSES = { plain: 2, tools: 32 };

/**
 * The most that a request can come to at an entry: its body, a token for each byte, and the context that it may stand
 * for by an id, an address or a tool of the provider.
 */
export function mostTokens(
  body: Pick<JsonBody, "bytes" | "brief">,
  { capabilities }: Pick<Entry, "capabilities">,
  { holds, alternatives = [] }: { holds: HoldFigures; alternatives?: readonly (readonly string[])[] },
): MostTokens {
  const passes = body.brief.tools === undefined ? PASSES.plain : PASSES.tools;
  const context = passes * (capabilities?.text?.contextWindow ?? LARGEST_CONTEXT);
  return {
    input: () => context + inputBound(body, true, holds),
    output: () => context * Math.max(1, largestAt(body.brief, alternatives) ?? 1),
  };
}

/** Checks whether a figure can be. `some`: it cannot be 0. */
export const isPossible = (count: number, some: boolean, most: () => number): boolean =>
  count === 0 ? !some : count <= most();

/** The usage that a reply is charged by, and the provider's figures that cannot be, which are estimated in it. */
export interface Billable {
  usage?: Usage & { estimated?: boolean };
  impossible: readonly ImpossibleFigure[];
}

/** The counts that go with each figure, as parts of it. */
const parts = {
  input: ["cacheRead", "cacheWrite", "cacheWriteLong", "audioInput", "imageInput"],
  output: ["reasoning", "audioOutput", "imageOutput"],
  calls: [],
} as const satisfies Record<ImpossibleFigure, readonly (keyof Usage)[]>;

/**
 * The usage by which a reply is charged. Upstream's own figures count; a delivered answer without them is estimated,
 * and so are a figure that cannot be, and the output of a reply that was cut, whose figures were only said up to some
 * earlier point.
 */
export function billable(
  { usage, finish, content }: Observation,
  request: LazyJson,
  most: MostTokens,
): Billable {
  const seen = Math.ceil(content / TOKEN_BYTES);
  if (!usage) {
    if (content === 0 && !finish) return { impossible: [] };
    return { usage: { input: inputEstimate(request), output: seen, estimated: true }, impossible: [] };
  }
  const impossible: ImpossibleFigure[] = [];
  if (!isPossible(usage.input, usage.output > 0 || content > 0, most.input)) impossible.push("input");
  if (!isPossible(usage.output, content > 0, most.output)) impossible.push("output");
  const isCut = !finish && usage.output < seen;
  if (impossible.length === 0 && !isCut) return { usage, impossible };
  const used: Usage & { estimated: boolean } = { ...usage, estimated: true };
  for (const figure of impossible) for (const part of parts[figure]) delete used[part];
  if (impossible.includes("input")) used.input = inputEstimate(request);
  if (impossible.includes("output") || isCut) used.output = seen;
  return { usage: used, impossible };
}

/** A request that sets no limit has the provider call a tool no oftener. */
const MOST_CALLS = 1_000;

/** Calls as they are charged, and whether one of their counts cannot be: credit was `held` for the one in its place. */
export function billableCalls(
  calls: CallCounts,
  held: CallCounts,
): { calls: CallCounts; impossible: readonly ImpossibleFigure[] } {
  const units = Object.keys(calls) as CallUnit[];
  const wrong = units.filter((unit) => (calls[unit] ?? 0) > Math.max(MOST_CALLS, held[unit] ?? 0));
  if (wrong.length === 0) return { calls, impossible: [] };
  const estimates = Object.fromEntries(wrong.map((unit) => [unit, held[unit] ?? 0]));
  return { calls: { ...calls, ...estimates }, impossible: ["calls"] };
}
