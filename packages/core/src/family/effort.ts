import type { Effort, ReasoningAsk } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";

/** Writes the amount of thinking in the one word that the family has for it. */
export function writeEffort({ mode, effort, budget }: ReasoningAsk, lose: Lose): Effort | "none" | undefined {
  if (mode === "off" || (effort === undefined && budget === 0)) {
    if (mode !== "off" || effort !== undefined || budget !== undefined) lose("/reasoning", "approximated");
    return "none";
  }
  if (effort !== undefined) {
    if (mode !== undefined) lose("/reasoning/mode", "approximated");
    if (budget !== undefined) lose("/reasoning/budget", "unsupported");
    return effort;
  }
  if (budget !== undefined) {
    const nearest = nearestEffort(budget);
    lose("/reasoning", "approximated", `a budget of ${budget} tokens became effort "${nearest}"`);
    return nearest;
  }
  if (mode === "on") lose("/reasoning", "approximated", 'became effort "medium"');
  else if (mode !== undefined) lose("/reasoning/mode", "approximated", "left to the model");
  return mode === "on" ? "medium" : undefined;
}

function nearestEffort(budget: number): Effort {
  if (budget <= 512) return "minimal";
  if (budget < 4096) return "low";
  if (budget < 16384) return "medium";
  return budget < 32768 ? "high" : "xhigh";
}
