import type { Traits } from "../../codec/traits.ts";
import { canSwitchOff, leastEffort, maxBudget, nearestEffort } from "../../family/effort.ts";
import type { Effort, ReasoningAsk } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { JsonObject } from "../../json/json.ts";
import { levels } from "./levels.ts";

const everyLevel = Object.values(levels);

const levelOf: Record<Effort, string> = {
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
  max: "HIGH",
};
/** Budgets by effort. Every model that takes budgets accepts the smallest and the largest of these. */
const budgetOf: Record<Effort, number> = {
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24576,
  xhigh: 24576,
  max: 24576,
};

/** The smallest budget of a model that always thinks. */
const LEAST = 128;

function effortOf(budget: number): Effort {
  if (budget <= 512) return "minimal";
  if (budget < 4096) return "low";
  return budget < 16384 ? "medium" : "high";
}

/**
 * The thinking config of a model that takes levels or of one that takes budgets; an unknown model gets a
 * budget, because the generation that takes levels takes budgets as well. Both at once are refused. `limit` is that of
 * the output, of which thoughts are a part.
 */
export function encodeAsk(
  ask: ReasoningAsk,
  limit: number | undefined,
  lose: Lose,
  traits: Traits,
): JsonObject | undefined {
  const { show } = ask;
  const out: JsonObject =
    traits.thinkingBy === "level" ? writeLevel(ask, lose, traits) : writeBudget(ask, limit, lose, traits);
  if (show !== undefined) out.includeThoughts = show !== "none";
  if (show === "concise" || show === "detailed")
    lose("/reasoning/show", "approximated", "thoughts are shown as they are");
  return Object.keys(out).length > 0 ? out : undefined;
}

function writeBudget(ask: ReasoningAsk, limit: number | undefined, lose: Lose, traits: Traits): JsonObject {
  const { mode, effort, budget } = ask;
  const [least, most] = traits.budgets ?? [LEAST, Number.MAX_SAFE_INTEGER];
  const tokensOf = (wanted: number): number => Math.min(most, Math.max(least, Math.round(wanted)));
  if (mode === "off" || (effort === undefined && budget !== undefined && budget < 1)) {
    if (!canSwitchOff(traits)) {
      lose("/reasoning", "approximated", "the model thinks as little as it can");
      return { thinkingBudget: least };
    }
    if (effort !== undefined) lose("/reasoning/effort", "unsupported");
    if (mode !== "off") lose("/reasoning/mode", "approximated");
    else if (budget !== undefined) lose("/reasoning/budget", "unsupported");
    return { thinkingBudget: 0 };
  }
  if (effort !== undefined) {
    const room = limit === undefined ? budgetOf.max : maxBudget(limit, undefined);
    const floor = traits.budgets ? least : budgetOf.minimal;
    const tokens = Math.min(most, Math.max(floor, Math.min(budgetOf[effort], room)));
    lose("/reasoning", "approximated", `the effort "${effort}" became a budget of ${tokens} tokens`);
    return { thinkingBudget: tokens };
  }
  if (mode === "auto") {
    if (budget !== undefined) lose("/reasoning/budget", "unsupported");
    return { thinkingBudget: -1 };
  }
  if (budget === undefined) {
    if (mode === "on") lose("/reasoning/mode", "approximated", "how much is left to the model");
    return mode === "on" ? { thinkingBudget: -1 } : {};
  }
  if (mode === undefined) lose("/reasoning/mode", "approximated");
  const tokens = traits.budgets ? tokensOf(budget) : Math.round(budget);
  if (tokens !== Math.round(budget)) lose("/reasoning/budget", "approximated", `became ${tokens} tokens`);
  return { thinkingBudget: tokens };
}

function writeLevel(ask: ReasoningAsk, lose: Lose, traits: Traits): JsonObject {
  const { mode, effort, budget } = ask;
  const known = traits.efforts ?? everyLevel;
  if (mode === "off") {
    lose("/reasoning", "approximated", "the model thinks as little as it can");
    const least = leastEffort(known);
    return least ? { thinkingLevel: levelOf[least] } : {};
  }
  if (mode !== undefined && (effort !== undefined || budget === undefined))
    lose("/reasoning/mode", "approximated", "how much is left to the model");
  const wanted = effort ?? (budget === undefined ? undefined : effortOf(budget));
  if (wanted === undefined) return {};
  const nearest = nearestEffort(wanted, known);
  if (nearest === undefined) {
    lose("/reasoning", "unsupported", "the model has no setting for how much it thinks");
    return {};
  }
  const level = levelOf[nearest];
  if (effort !== undefined && budget !== undefined) lose("/reasoning/budget", "unsupported");
  if (effort === undefined)
    lose("/reasoning", "approximated", `a budget of ${budget} tokens became the level ${level}`);
  else if (levels[level] !== effort) lose("/reasoning/effort", "approximated", `became ${level}`);
  return { thinkingLevel: level };
}
