import type { ParamName } from "../ir/params.ts";
import { refusesAlways } from "./refused-params.ts";
import type { TraitName, Traits } from "./traits.ts";

/** Two facts about one model of which one must be wrong. */
export interface Contradiction {
  /** The trait at which it is found, and the member of its value. */
  path: readonly [trait: TraitName, ...member: (string | number)[]];
  /** The sentence that explains it. */
  text: string;
}

/** Finds the traits of one list that contradict each other. */
export function contradictionsOf(traits: Traits): Contradiction[] {
  const { thinking, efforts, effort, budgets, stops, ranges = {}, accepts = {} } = traits;
  const found: Contradiction[] = [];
  const add = (path: Contradiction["path"], text: string): void => void found.push({ path, text });
  if (thinking?.length === 0 && efforts && efforts.length > 0)
    add(["efforts"], "the model has efforts, but 'thinking' says that it does not think");
  if (effort !== undefined && effort !== "none" && efforts && !efforts.includes(effort))
    add(["effort"], `'${effort}' is not among 'efforts'`);
  if (effort === "none" && thinking && thinking.length > 0 && !thinking.includes("off"))
    add(["effort"], "'none' needs 'off' in 'thinking'");
  if (budgets && budgets[0] > budgets[1]) add(["budgets"], "the least is more than the most");
  for (const [name, [least, most]] of Object.entries(ranges))
    if (least > most) add(["ranges", name], "the least value is more than the greatest");
  for (const [trait, values] of [
    ["ranges", ranges],
    ["accepts", accepts],
  ] as const)
    for (const name of Object.keys(values) as ParamName[])
      if (refusesAlways(name, traits))
        add([trait, name], "the model refuses this parameter by 'refuses' or 'sampling'");
  if (stops !== undefined && refusesAlways("stop", traits)) add(["stops"], "the model refuses 'stop'");
  return found;
}
