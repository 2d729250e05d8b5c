import { compact } from "../../json/json.ts";
import type { ImageAsk } from "./ir.ts";

const names = ["size", "quality", "background"] as const;

/**
 * The request without an `auto` that its model does not know, by the names of the parameters that were refused: the word
 * leaves the choice to the model, which its absence does as well.
 */
export function withoutAuto(ask: ImageAsk, refused: readonly (string | undefined)[]): ImageAsk {
  const left = names.filter((name) => ask[name] === "auto" && refused.includes(name));
  if (left.length === 0) return ask;
  return compact({ ...ask, ...Object.fromEntries(left.map((name) => [name, undefined])) }) as ImageAsk;
}
