import type { Traits } from "../codec/traits.ts";
import type { TextRequest } from "../ir/index.ts";

/** Checks whether a model may think about a request, as far as its traits say. */
export function mayThink({ reasoning }: TextRequest, { thinking, effort }: Traits): boolean {
  if (thinking?.length === 0) return false;
  if (!reasoning) return effort !== "none";
  const isOff = reasoning.mode === "off" || (reasoning.effort === undefined && reasoning.budget === 0);
  return !isOff || (thinking !== undefined && !thinking.includes("off"));
}
