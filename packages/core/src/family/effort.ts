import type { Traits } from "../codec/traits.ts";
import { type Effort, efforts as everyEffort, type ReasoningAsk } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";

/** Checks whether a value of a wire is one of `efforts`. */
export const isEffort = (value: unknown): value is Effort => everyEffort.includes(value as Effort);

const summaries = ["auto", "concise", "detailed"] as const;
/** Checks whether a value of a wire names a summary of thoughts. */
export const isSummary = (value: unknown): value is (typeof summaries)[number] =>
  summaries.includes(value as never);

/** The nearest effort among those of a model; of two at the same distance, the greater one. */
export function nearestEffort(effort: Effort, among: readonly Effort[]): Effort | undefined {
  const wanted = everyEffort.indexOf(effort);
  const distance = (one: Effort): number => Math.abs(everyEffort.indexOf(one) - wanted);
  return everyEffort
    .filter((one) => among.includes(one))
    .reduce<Effort | undefined>(
      (best, one) => (best === undefined || distance(one) <= distance(best) ? one : best),
      undefined,
    );
}

/** The least effort of a model, for one whose thinking cannot be switched off. */
export const leastEffort = (among: readonly Effort[]): Effort | undefined =>
  everyEffort.find((effort) => among.includes(effort));

/** The tokens that are left for the answer, if the caller set no budget for thinking. */
export const ANSWER_ROOM = 4096;

/** The largest budget for thinking within an output limit. Without the caller's own budget, room is left for an answer. */
export const maxBudget = (limit: number, budget: number | undefined): number =>
  limit - (budget === undefined ? Math.min(ANSWER_ROOM, Math.floor(limit / 2)) : 1);

/** Checks whether the thinking of a model with these traits can be switched off. */
export const canSwitchOff = ({ thinking }: Pick<Traits, "thinking">): boolean =>
  thinking?.includes("off") ?? true;

/**
 * Writes the amount of thinking in the one word that the family has for it; nothing for a model that has no setting
 * for it.
 */
export function writeEffort(
  ask: ReasoningAsk,
  lose: Lose,
  traits: Pick<Traits, "efforts" | "thinking"> = {},
): Effort | "none" | undefined {
  const { mode, effort, budget } = ask;
  const { efforts: known = everyEffort } = traits;
  if (mode === "off" || (effort === undefined && budget === 0)) {
    if (canSwitchOff(traits)) {
      if (mode !== "off" || effort !== undefined || budget !== undefined) lose("/reasoning", "approximated");
      return "none";
    }
    const least = leastEffort(traits.efforts ?? ["low"]);
    lose(
      "/reasoning",
      "approximated",
      least ? `became effort "${least}"` : "thinking cannot be switched off",
    );
    return least;
  }
  if (known.length === 0) {
    if (effort !== undefined || budget !== undefined)
      lose("/reasoning", "unsupported", "the model has no setting for how much it thinks");
    return undefined;
  }
  if (effort !== undefined) {
    if (mode !== undefined) lose("/reasoning/mode", "approximated");
    if (budget !== undefined) lose("/reasoning/budget", "unsupported");
    const nearest = nearestEffort(effort, known);
    if (nearest !== effort)
      lose("/reasoning/effort", "approximated", `became ${nearest}, the nearest it knows`);
    return nearest;
  }
  if (budget !== undefined) {
    const nearest = nearestEffort(effortOf(budget), known);
    lose("/reasoning", "approximated", `a budget of ${budget} tokens became effort "${nearest}"`);
    return nearest;
  }
  const medium = nearestEffort("medium", known);
  if (mode === "on") lose("/reasoning", "approximated", `became effort "${medium}"`);
  else if (mode !== undefined) lose("/reasoning/mode", "approximated", "left to the model");
  return mode === "on" ? medium : undefined;
}

/** The effort that comes nearest to a budget. */
function effortOf(budget: number): Effort {
  if (budget <= 512) return "minimal";
  if (budget < 4096) return "low";
  if (budget < 16384) return "medium";
  return budget < 32768 ? "high" : "xhigh";
}
