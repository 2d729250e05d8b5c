import { type Json, toObject } from "../../json/json.ts";

/** The members of a template's settings that switch thinking: templates name it differently. */
export const templateSwitches = ["enable_thinking", "thinking"] as const;

/** The state of the switch for thinking in a template's settings; undefined where its two names disagree. */
export function templateSwitch(settings: Json | undefined): boolean | undefined {
  const states = new Set(templateSwitches.map((name) => toObject(settings)[name]).filter((on) => on != null));
  const [on] = states;
  return states.size === 1 && typeof on === "boolean" ? on : undefined;
}
