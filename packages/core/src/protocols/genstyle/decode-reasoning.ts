import type { ReasoningAsk } from "../../ir/index.ts";
import { type JsonObject, lookup, numberOf, rest, toText } from "../../json/json.ts";
import { levels } from "./levels.ts";

const thinkingFields = new Set(["includeThoughts", "thinkingBudget", "thinkingLevel"]);

/** Reads the settings for thinking, and the members that say something else. */
export function decodeAsk(wire: JsonObject): { ask?: ReasoningAsk; remaining?: JsonObject } {
  const ask: ReasoningAsk = {};
  let left = rest(wire, thinkingFields);
  const word = toText(wire.thinkingLevel).toUpperCase();
  const effort = lookup(levels, word);
  if (effort) ask.effort = effort;
  else if (word !== "") left = { ...left, thinkingLevel: wire.thinkingLevel as string };
  const budget = numberOf(wire.thinkingBudget);
  if (budget === 0) ask.mode = "off";
  else if (budget !== undefined && budget < 0) ask.mode = "auto";
  else if (budget !== undefined) Object.assign(ask, { mode: "on", budget });
  if (typeof wire.includeThoughts === "boolean") ask.show = wire.includeThoughts ? "auto" : "none";
  return { ...(Object.keys(ask).length > 0 && { ask }), ...(left && { remaining: left }) };
}
