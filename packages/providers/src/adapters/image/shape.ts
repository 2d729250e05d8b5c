import { pixelsOf } from "@manifold-gateway/core/operations";

/** The shapes that a wire has in place of sizes. */
export interface Shapes {
  /** The ratios, with their quotients. */
  ratios: readonly { name: string; quotient: number }[];
  /** The tiers of sizes, with the approximate edge of a square in pixels. */
  tiers: readonly { name: string; edge: number }[];
}

/** Ratios by their names: `16:9`. */
export const ratiosOf = (...names: string[]): Shapes["ratios"] =>
  names.map((name) => {
    const [width = 1, height = 1] = name.split(":").map(Number);
    return { name, quotient: width / height };
  });

/** The largest factor between a size and a ratio or a tier that still stands for it. */
const MAX_FACTOR = { ratio: 1.15, edge: 1.42 };

/**
 * The ratio and tier nearest to a size, or the named tier, which leaves the ratio to the model: an edited picture keeps
 * its own. Undefined if none is near enough.
 */
export function shapeOf(
  size: string,
  { ratios, tiers }: Shapes,
): { ratio?: string; tier: string } | undefined {
  const named = tiers.find(({ name }) => name === size);
  if (named) return { tier: named.name };
  const pixels = pixelsOf(size);
  if (!pixels) return undefined;
  const [width, height] = pixels;
  const ratio = nearest(ratios, (one) => one.quotient, width / height, MAX_FACTOR.ratio);
  const tier = nearest(tiers, (one) => one.edge, Math.sqrt(width * height), MAX_FACTOR.edge);
  return ratio && tier && { ratio: ratio.name, tier: tier.name };
}

function nearest<T>(
  rows: readonly T[],
  of: (row: T) => number,
  wanted: number,
  limit: number,
): T | undefined {
  const distance = (row: T): number => Math.max(of(row) / wanted, wanted / of(row));
  const best = rows.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  return distance(best) <= limit ? best : undefined;
}
