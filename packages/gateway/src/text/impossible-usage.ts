import type { Observation, Usage } from "@manifold-gateway/core";
import type { CallCounts, CallUnit } from "@manifold-gateway/core/codec";
import { inputBound, inputEstimate, largestAt, TOKEN_BYTES } from "../generation/token-estimate.ts";
import type { JsonBody } from "../http/json-body.ts";
import type { Entry } from "../ports/catalog.ts";
import type { HoldFigures } from "../ports/limits.ts";

/** A provider's figure that is impossible: 0 although there was something, or above the possible maximum. */
export type ImpossibleFigure = "input" | "output" | "calls";

/** The most tokens that a request can have used. */
export interface MostTokens {
  input: number;
  output: number;
}

/** The context assumed for entries that do not state theirs, in tokens: no model's is larger. */
const LARGEST_CONTEXT = 10_000_000;
/**
 * The number of times that one request may fill the context: the provider may compact the conversation in an extra
 * pass, and its tools take a pass for each call.
 */
const PASSES = { plain: 2, tools: 32 };

/**
 * The most tokens that a request can use at an entry: one for each byte of its body, plus the context that an id, an
 * address or a tool of the provider may bring in.
 */
export function mostTokens(
  body: Pick<JsonBody, "bytes" | "lazy" | "protocols">,
  { capabilities }: Pick<Entry, "capabilities">,
  { holds, alternatives = [] }: { holds: HoldFigures; alternatives?: readonly (readonly string[])[] },
): MostTokens {
  const passes = body.lazy.tools === undefined ? PASSES.plain : PASSES.tools;
  const context = passes * (capabilities?.text?.contextWindow ?? LARGEST_CONTEXT);
  return {
    input: context + inputBound(body, true, holds),
    output: context * Math.max(1, largestAt(body.lazy, alternatives) ?? 1),
  };
}

/** Checks whether a figure is possible. `some`: 0 is not. */
export const isPossible = (count: number, some: boolean, most: number): boolean =>
  count === 0 ? !some : count <= most;

/** The usage for which a reply is charged. The provider's impossible figures are replaced by estimates. */
export interface Billable {
  usage?: Usage & { estimated?: boolean };
  impossible: readonly ImpossibleFigure[];
}

/** The counts that are parts of each figure. */
const parts = {
  input: ["cacheRead", "cacheWrite", "cacheWriteLong", "audioInput", "imageInput"],
  output: ["reasoning", "audioOutput", "imageOutput"],
  calls: [],
} as const satisfies Record<ImpossibleFigure, readonly (keyof Usage)[]>;

/**
 * The usage for which a reply is charged: the provider's figures. Estimates replace missing and impossible figures, and
 * the output of a reply that broke off, whose last figures were of an earlier point.
 */
export function billable(
  { usage, finish, content }: Observation,
  request: Pick<JsonBody, "lazy" | "protocols">,
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

/** The most calls of a tool that are plausible for a request without a limit. */
const MOST_CALLS = 1_000;

/** The calls to charge. An impossible count is replaced by the count for which credit was `held`. */
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
