import type { Traits } from "../codec/traits.ts";
import { ANSWER_ROOM, leastEffort, maxBudget, nearestEffort } from "../family/effort.ts";
import type { Effort, ReasoningAsk, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import type { JsonObject } from "../json/json.ts";
import { everyEffort } from "./efforts.ts";
import { conflictOf, type WrittenTurns } from "./with-thinking.ts";

/** The efforts that some models accept while thinking is off. */
const effortsUpToHigh: ReadonlySet<Effort> = new Set(["low", "medium", "high"]);

/** The tokens for each amount of thinking; `max` is the rest of the output limit. */
const budgets: Record<Effort, number> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24576,
  xhigh: 32768,
  max: Number.POSITIVE_INFINITY,
};
const MIN_BUDGET = 1024;
/** The default output limit. */
const DEFAULT_LIMIT = 4096;

const toEffort = (budget: number): Effort =>
  budget < 4096 ? "low" : budget < 16384 ? "medium" : budget < 32768 ? "high" : "xhigh";

/** How much a model thinks, in the words of the messages wire, which other wires hand on to some models. */
export interface ThinkingSettings {
  thinking?: JsonObject;
  effort?: string;
  /** The output limit that the thinking needs, where the request has none. */
  maxTokens: number;
}

export type ThinkingMode = "off" | "adaptive" | "manual";

/** The settings for a request whose tools and messages are written. */
export function encodeThinking(
  request: TextRequest,
  written: WrittenTurns,
  lose: Lose,
  traits: Traits,
): ThinkingSettings {
  const ask = request.reasoning;
  const maxTokens = traits.maxOutput ?? DEFAULT_LIMIT;
  if (!ask) return { maxTokens };
  const can = (way: ThinkingMode): boolean => traits.thinking?.includes(way) ?? true;
  const way = thinkingModeOf(ask, can);
  const effort = way === undefined ? undefined : effortFor(ask, way, traits, lose);
  const plain: ThinkingSettings = { maxTokens, ...(effort !== undefined && { effort }) };
  if (way === undefined) {
    if (requestsThinking(ask)) lose("/reasoning", "unsupported", "the model does not support this");
    return { maxTokens };
  }
  if (way === "off") {
    if (ask.budget !== undefined) lose("/reasoning/budget", "unsupported");
    if (ask.show !== undefined && ask.show !== "none") lose("/reasoning/show", "unsupported");
    return { ...plain, thinking: { type: traits.offBy === "between_tools" ? traits.offBy : "disabled" } };
  }
  const why = conflictOf(written, way, traits);
  if (why !== undefined) {
    lose("/reasoning", "unsupported", why);
    return { maxTokens };
  }
  const display = displayOf(ask, lose);
  if (way === "manual") {
    const { limit, budget } = budgetFor(ask, request.params.maxTokens, lose, traits);
    if (budget === undefined) return { maxTokens: limit };
    return { ...plain, maxTokens: limit, thinking: { type: "enabled", budget_tokens: budget, ...display } };
  }
  if (ask.budget !== undefined) lose("/reasoning/budget", "approximated", `became the effort ${effort}`);
  if (ask.mode === "off") lose("/reasoning/mode", "approximated", "thinking cannot be switched off");
  else if (ask.mode === "on" || (ask.mode === undefined) !== (effort !== undefined))
    lose("/reasoning/mode", "approximated", "the model decides how much it thinks");
  return { ...plain, thinking: { type: "adaptive", ...display } };
}

/** Checks for a request of thinking. Hiding thoughts alone is none. */
const requestsThinking = ({ show, ...amount }: ReasoningAsk): boolean =>
  Object.keys(amount).length > 0 || (show !== undefined && show !== "none");

/** The nearest mode that the model supports; `undefined` if there is none. */
function thinkingModeOf(ask: ReasoningAsk, can: (way: ThinkingMode) => boolean): ThinkingMode | undefined {
  const { mode, budget } = ask;
  if (mode === "off") return can("off") ? "off" : can("adaptive") ? "adaptive" : undefined;
  if (budget !== undefined && mode !== "auto" && can("manual")) return "manual";
  if (!requestsThinking(ask)) return undefined;
  return can("adaptive") ? "adaptive" : can("manual") ? "manual" : undefined;
}

function effortFor(ask: ReasoningAsk, way: ThinkingMode, traits: Traits, lose: Lose): Effort | undefined {
  const { mode, budget } = ask;
  // Models without adaptive thinking know no effort either, unless their traits have some.
  const known = traits.efforts ?? (traits.thinking?.includes("adaptive") === false ? [] : everyEffort);
  const isKept = mode === "off" && way === "adaptive";
  if (known.length === 0) {
    if (ask.effort !== undefined)
      lose("/reasoning/effort", "approximated", way === "manual" ? "became a budget" : "left to the model");
    return undefined;
  }
  if (isKept) {
    const least = leastEffort(known);
    lose("/reasoning/effort", "approximated", `became ${least}`);
    return least;
  }
  if (ask.effort !== undefined) {
    const isModest = way === "off" && traits.offBy === "disabledToHigh";
    const nearest = nearestEffort(
      ask.effort,
      isModest ? known.filter((one) => effortsUpToHigh.has(one)) : known,
    );
    if (nearest !== ask.effort) lose("/reasoning/effort", "approximated", `became ${nearest}`);
    return nearest;
  }
  if (budget === undefined || way !== "adaptive") return undefined;
  lose("/reasoning/effort", "approximated", "derived from the budget");
  return nearestEffort(toEffort(budget), known);
}

function displayOf({ show }: ReasoningAsk, lose: Lose): JsonObject {
  if (show === undefined) return {};
  if (show === "none") return { display: "omitted" };
  if (show !== "auto") lose("/reasoning/show", "approximated", "became a summary");
  return { display: "summarized" };
}

/** The budget for thinking, none if the output limit has no room for one, and that limit. */
function budgetFor(
  ask: ReasoningAsk,
  requested: number | undefined,
  lose: Lose,
  traits: Traits,
): { limit: number; budget?: number } {
  const wanted = Math.max(MIN_BUDGET, ask.budget ?? budgets[ask.effort ?? "medium"]);
  const room = Number.isFinite(wanted) ? wanted + ANSWER_ROOM : budgets.xhigh + ANSWER_ROOM;
  const most = traits.maxOutput ?? Number.POSITIVE_INFINITY;
  const limit = Math.min(requested ?? traits.maxOutput ?? room, most);
  if (limit <= MIN_BUDGET) {
    lose("/reasoning", "unsupported", `thinking needs ${MIN_BUDGET} of the ${limit} output tokens`);
    return { limit };
  }
  const budget = Math.max(MIN_BUDGET, Math.min(wanted, maxBudget(limit, ask.budget)));
  if (ask.budget === undefined) lose("/reasoning/budget", "approximated", `a budget of ${budget} tokens`);
  else if (ask.budget !== budget) lose("/reasoning/budget", "approximated", `became ${budget}`);
  if (ask.mode !== "on") lose("/reasoning/mode", "approximated", "thinking is requested by a budget");
  return { limit, budget };
}
