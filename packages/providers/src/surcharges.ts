import type { CallUnit } from "@manifold-gateway/core/codec";

/** The items that a vendor bills beside the tokens of an answer, or instead of their usual price. */
export interface Surcharges {
  /** US dollars for one call of a tool that the vendor runs. */
  calls?: { readonly [unit in CallUnit]?: number };
  /** Factors of all token prices, by the mode that a request asks for: `{ service_tier: { priority: 2 } }`. */
  factors?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Surcharges of some of a provider's models: those whose names fit a pattern, where `*` stands for anything. */
export interface SurchargeRow extends Surcharges {
  models?: string;
  /** The reason of a price, for those who keep the rows. */
  $comment?: string;
}

/** The surcharges of one model: calls and factors each of the first row that fits its name and has them. */
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
