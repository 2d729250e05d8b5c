import {
  addSketch,
  countOf,
  newSketch,
  quantiles,
  type Sketch,
  type UsagePoint,
} from "@manifold-gateway/store";
import type { KnownEntries } from "./known-entries.ts";
import { SHARES } from "./series.ts";

/** The times to the first token of a provider and of others, for the same models in the same proportions. */
export interface Comparison {
  /** The models that the provider and others served. */
  models: string[];
  /** The other providers of these models. */
  providers: string[];
  requests: number;
  p50FirstMs: number;
  p95FirstMs: number;
  /** The percentiles of the others, weighted by the provider's share of each model. */
  others: { p50FirstMs: number; p95FirstMs: number };
  /** The provider's median divided by that of the others. */
  ratio: number;
}

/**
 * The fewest requests of a model that each side needs for a comparison: with fewer, a single one would decide the
 * median.
 */
const LEAST = 5;

/** The sketches of each model, by provider. */
function byModel(points: readonly UsagePoint[], entries: KnownEntries): Map<string, Map<string, Sketch>> {
  const models = new Map<string, Map<string, Sketch>>();
  for (const { name = "", firsts } of points) {
    const entry = entries.get(name);
    if (!entry) continue;
    const providers = models.get(entry.model) ?? new Map<string, Sketch>();
    models.set(entry.model, providers);
    const sketch = providers.get(entry.provider) ?? newSketch();
    providers.set(entry.provider, sketch);
    addSketch(sketch, firsts);
  }
  return models;
}

/**
 * Compares a provider with other providers of the same models, from points that are split by entry. The others are
 * weighted by the provider's mix of models, because a provider of slow models is not itself slow. Undefined if no model
 * has another provider.
 */
export function compareProvider(
  provider: string,
  points: readonly UsagePoint[],
  entries: KnownEntries,
): Comparison | undefined {
  const [ofProvider, ofOthers] = [newSketch(), newSketch()];
  const models: string[] = [];
  const providers = new Set<string>();
  for (const [model, sketches] of byModel(points, entries)) {
    const compared = sketches.get(provider);
    const others = newSketch();
    for (const [name, sketch] of sketches) if (name !== provider) addSketch(others, sketch);
    const count = countOf(others);
    if (!compared || countOf(compared) < LEAST || count < LEAST) continue;
    models.push(model);
    for (const name of sketches.keys()) if (name !== provider) providers.add(name);
    addSketch(ofProvider, compared);
    addSketch(ofOthers, others, countOf(compared) / count);
  }
  const [p50FirstMs, p95FirstMs] = quantiles(ofProvider, SHARES);
  const [p50Others, p95Others] = quantiles(ofOthers, SHARES);
  if (p50FirstMs === undefined || p95FirstMs === undefined) return undefined;
  if (p50Others === undefined || p95Others === undefined) return undefined;
  return {
    models: models.sort(),
    providers: [...providers].sort(),
    requests: Math.round(countOf(ofProvider)),
    ...{ p50FirstMs, p95FirstMs },
    others: { p50FirstMs: p50Others, p95FirstMs: p95Others },
    ratio: Math.round((p50FirstMs / Math.max(1, p50Others)) * 100) / 100,
  };
}
