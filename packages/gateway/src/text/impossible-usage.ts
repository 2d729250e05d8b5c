import type { CallCounts, CallUnit, ImpossibleFigure, MostTokens } from "@manifold-gateway/core/codec";
import { inputBound, largestAt } from "../generation/token-estimate.ts";
import type { JsonBody } from "../http/json-body.ts";
import type { Entry } from "../ports/catalog.ts";
import type { HoldFigures } from "../ports/limits.ts";

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
