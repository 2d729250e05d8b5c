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

/** The vendors' published surcharges, by preset. As of November 2026. */
export const publishedSurcharges: Readonly<Record<string, readonly SurchargeRow[]>> = {
  openai: [
    {
      // The older search tool costs more with models that do not reason; which of the two ran, no answer says.
      models: "gpt-4*",
      calls: { webSearches: 0.025, fileSearches: 0.0025, codeSessions: 0.03 },
    },
    {
      calls: { webSearches: 0.01, fileSearches: 0.0025, codeSessions: 0.03 },
      factors: { service_tier: { flex: 0.5, priority: 2, scale: 1 } },
    },
  ],
  anthropic: [
    { models: "claude-opus-4-6*", factors: modes(6) },
    { models: "claude-opus-4-7*", factors: modes(6) },
    {
      // Code runs in a container that is billed by the hour.
      calls: { webSearches: 0.01, codeSessions: 0.05 },
      factors: modes(2),
    },
  ],
  google: [
    { models: "gemini-1*", calls: { groundedRequests: 0.035, mapSearches: 0.025 } },
    { models: "gemini-2*", calls: { groundedRequests: 0.035, mapSearches: 0.025 } },
    {
      calls: { webSearches: 0.014, mapSearches: 0.025 },
      factors: { service_tier: { flex: 0.5, priority: 2, on_demand_priority: 2, on_demand_flex: 0.5 } },
    },
  ],
  openrouter: [{ factors: { service_tier: { flex: 0.5, priority: 2 } } }],
};

/** Modes of the messages vendor: what it has for a commitment, and long prompts, are in an entry's own price. */
function modes(fast: number) {
  return {
    speed: { fast },
    inference_geo: { us: 1.1 },
    service_tier: { priority: 1 },
    context: { "1m": 1 },
  };
}
