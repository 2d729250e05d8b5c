import type { Observation } from "@manifold-gateway/core";
import {
  type BillableUsage,
  billableUsage,
  type CallCounts,
  type CallUnit,
  type ImpossibleFigure,
  type MostTokens,
} from "@manifold-gateway/core/codec";
import { inputBound, inputEstimate, largestAt } from "../generation/token-estimate.ts";
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

type Measured = Pick<JsonBody, "lazy" | "measure" | "size">;

/** What decides, beside a request and its entry, how many tokens are possible. */
interface Bounds {
  holds: HoldFigures;
  /** The places of the number of alternatives. */
  alternatives?: readonly (readonly string[])[];
}

/** The tokens of the context that a request may fill several times, by an id, an address or a tool of the provider. */
function contextOf({ lazy }: Pick<Measured, "lazy">, { capabilities }: Pick<Entry, "capabilities">): number {
  const passes = lazy.tools === undefined ? PASSES.plain : PASSES.tools;
  return passes * (capabilities?.text?.contextWindow ?? LARGEST_CONTEXT);
}

/** The most tokens that a request can use at an entry: its context, and one for each byte of its body. */
export function mostTokens(
  body: Measured,
  entry: Pick<Entry, "capabilities">,
  { holds, alternatives = [] }: Bounds,
): MostTokens {
  const context = contextOf(body, entry);
  return {
    input: context + inputBound(body, true, holds),
    output: context * Math.max(1, largestAt(body.lazy, alternatives) ?? 1),
  };
}

/**
 * The usage by which a reply to a request is charged; see `billableUsage`. The request is measured only for figures
 * beyond its context, which are rare: the measure can only add to it.
 */
export function usageOf(
  observation: Observation,
  body: Measured,
  entry: Pick<Entry, "capabilities">,
  bounds: Bounds,
): BillableUsage {
  const context = contextOf(body, entry);
  const estimate = (): number => inputEstimate(body);
  const found = billableUsage(observation, { input: context, output: context }, estimate);
  if (found.impossible.length === 0) return found;
  return billableUsage(observation, mostTokens(body, entry, bounds), estimate);
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
