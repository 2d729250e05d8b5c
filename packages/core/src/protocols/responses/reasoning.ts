import type { Traits } from "../../codec/traits.ts";
import { isEffort, isSummary, writeEffort } from "../../family/effort.ts";
import type { ReasoningAsk } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, type JsonObject, toObject } from "../../json/json.ts";

/** Reads the request's settings for thinking, and the members that the IR has no word for. */
export function decodeAsk(json: Json | undefined): { ask?: ReasoningAsk; remaining?: JsonObject } {
  const { effort, summary, generate_summary: older, ...others } = toObject(json);
  const left = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null));
  const ask: ReasoningAsk = {};
  if (effort === "none") ask.mode = "off";
  else if (isEffort(effort)) ask.effort = effort;
  else if (typeof effort === "string") left.effort = effort;
  const show = summary ?? older;
  if (isSummary(show)) ask.show = show;
  else if (typeof show === "string") left.summary = show;
  return {
    ...(Object.keys(ask).length > 0 && { ask }),
    ...(Object.keys(left).length > 0 && { remaining: left }),
  };
}

export function encodeAsk(ask: ReasoningAsk, lose: Lose, traits: Traits): JsonObject {
  const { show } = ask;
  const effort = writeEffort(ask, lose, traits);
  return {
    ...(effort !== undefined && { effort }),
    // Thoughts are shown on request only.
    ...(show !== undefined && show !== "none" && { summary: show }),
  };
}

/** The state of the model's thinking, which is only given on request. */
export const STATE = "reasoning.encrypted_content";

/** A client that asks for thinking needs its state for the next turn. */
export const asksState = (ask: ReasoningAsk | undefined): boolean => ask !== undefined && ask.mode !== "off";
