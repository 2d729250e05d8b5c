import type { ReasoningAsk } from "../ir/index.ts";
import { isObject, type JsonObject, numberOf, toObject } from "../json/json.ts";
import { isEffort } from "./efforts.ts";

/** Reads the settings for thinking. `whole` says that nothing of `thinking` was left unread. */
export function decodeThinking(wire: JsonObject): { ask?: ReasoningAsk; whole: boolean } {
  const thinking = toObject(wire.thinking);
  const { effort } = toObject(wire.output_config);
  const { type, budget_tokens: tokens, display, ...more } = thinking;
  const ask: ReasoningAsk = {};
  // An effort implies that the model decides how much to think, so "auto" adds nothing to it.
  if (type === "adaptive" && !isEffort(effort)) ask.mode = "auto";
  else if (type === "enabled") ask.mode = "on";
  else if (type === "disabled" || type === "between_tools") ask.mode = "off";
  if (isEffort(effort)) ask.effort = effort;
  const budget = type === "enabled" ? numberOf(tokens) : undefined;
  if (budget !== undefined) ask.budget = budget;
  // A caller that requests thinking and does not mention showing it sees it.
  const thinks = type === "enabled" || type === "adaptive";
  if (display === "summarized" || (thinks && (display === undefined || display === null))) ask.show = "auto";
  else if (display === "omitted") ask.show = "none";
  const plain = type === "adaptive" || type === "enabled" || (type === "disabled" && !display);
  const shown = display === undefined || display === null || ask.show !== undefined;
  return {
    ...(Object.keys(ask).length > 0 && { ask }),
    whole: !isObject(wire.thinking) || (plain && shown && Object.keys(more).length === 0),
  };
}
