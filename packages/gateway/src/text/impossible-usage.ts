import type { Observation } from "@manifold-gateway/core";
import {
  type BillableUsage,
  billableUsage,
  type CallCounts,
  type CallUnit,
  type ImpossibleFigure,
  isPossible,
  type MostTokens,
} from "@manifold-gateway/core/codec";
import { inputBound, inputEstimate } from "../generation/token-estimate.ts";
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

/** The answer that a request asks for. */
interface RequestedAnswer {
  /** The requested number of alternatives. */
  alternatives: number;
  /** The most output tokens of each, if the caller says so. */
  limit: number | undefined;
}

/** What decides how many tokens a request can use at any entry. It is small, and kept until the request is settled. */
export interface RequestSize extends Pick<JsonBody, "measure" | "size">, RequestedAnswer {
  hasTools: boolean;
}

/** Reads the size of a request. */
export const sizeOf = (
  { size, measure, lazy }: Pick<JsonBody, "lazy" | "measure" | "size">,
  { alternatives, limit }: RequestedAnswer = { alternatives: 1, limit: undefined },
): RequestSize => ({ size, measure, hasTools: lazy.tools !== undefined, alternatives, limit });

/** The tokens of the context that a request may fill several times, by an id, an address or a tool of the provider. */
function contextOf({ hasTools }: RequestSize, { capabilities }: Pick<Entry, "capabilities">): number {
  const passes = hasTools ? PASSES.tools : PASSES.plain;
  return passes * (capabilities?.text?.contextWindow ?? LARGEST_CONTEXT);
}

/** The most tokens that a request can use at an entry: its context, and one for each byte of its body. */
export function mostTokens(
  request: RequestSize,
  entry: Pick<Entry, "capabilities">,
  holds: HoldFigures,
): MostTokens {
  const context = contextOf(request, entry);
  return {
    input: context + inputBound(request, true, holds),
    output: context * request.alternatives,
  };
}

/** Bounds an estimate of output by the caller's limit: tokens may be longer than those of the estimate. */
function withinLimit(
  billable: BillableUsage,
  { limit, alternatives }: RequestSize,
  reported: number | undefined,
): BillableUsage {
  const { usage, impossible } = billable;
  if (!usage?.estimated || limit === undefined) return billable;
  // A figure that the provider reported counts as it is.
  const least = impossible.includes("output") ? 0 : (reported ?? 0);
  const output = Math.min(usage.output, Math.max(least, Math.ceil(limit * alternatives)));
  return { ...billable, usage: { ...usage, output } };
}

/**
 * The usage by which a reply to a request is charged; see `billableUsage`. Most figures are
 * within the context, to which the measure of the request can only add.
 */
export function usageOf(
  observation: Observation,
  request: RequestSize,
  entry: Pick<Entry, "capabilities">,
  holds: HoldFigures,
): BillableUsage {
  const context = contextOf(request, entry);
  const estimate = (): number => inputEstimate(request);
  const found = billableUsage(observation, { input: context, output: context }, estimate);
  if (found.impossible.length === 0 && !found.usage?.estimated) return found;
  const billable = billableUsage(observation, mostTokens(request, entry, holds), estimate);
  return withinLimit(billable, request, observation.usage?.output);
}

/** The figures of tokens among those that a provider reported that are impossible. An answer may have no tokens. */
export const impossibleTokens = (reported: Partial<MostTokens>, most: MostTokens): (keyof MostTokens)[] =>
  (["input", "output"] as const).filter((figure) => {
    const count = reported[figure];
    return count !== undefined && !isPossible(count, figure === "input", most[figure]);
  });

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
