import type { CallUnit } from "@manifold-gateway/core/codec";

/** The items that a vendor bills in addition to tokens, or instead of their usual price. */
export interface Surcharges {
  /** The price in US dollars of one call of a tool that the vendor runs. */
  calls?: { readonly [unit in CallUnit]?: number };
  /** The factors of all token prices, by a mode of the request: `{ service_tier: { priority: 2 } }`. */
  factors?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The surcharges of those models of a provider whose names match a pattern, where `*` stands for any text. */
export interface SurchargeRow extends Surcharges {
  models?: string;
  /** A comment on a price, for maintainers. */
  $comment?: string;
}

/** The surcharges of one model: its calls and its factors, each from the first matching row that has them. */
export function surchargesOf(rows: readonly SurchargeRow[], name: string): Surcharges {
  const fitting = rows.filter(({ models }) => models === undefined || fits(name, models));
  const calls = fitting.find((row) => row.calls)?.calls;
  const factors = fitting.find((row) => row.factors)?.factors;
  return { ...(calls && { calls }), ...(factors && { factors }) };
}

function fits(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const [i, piece] of rest.entries()) {
    const found = i === rest.length - 1 ? name.lastIndexOf(piece) : name.indexOf(piece, at);
    if (found < at) return false;
    at = found + piece.length;
  }
  return rest.length === 0 ? name === pattern : rest.at(-1) === "" || at === name.length;
}
