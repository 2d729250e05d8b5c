import type { Traits } from "../codec/traits.ts";
import type { Loss } from "../ir/loss.ts";

/** The traits of a model after one more was learnt from a refusal. */
export interface TraitsStep {
  /** All traits that are known after it, not only the new one. */
  traits: Traits;
  /** The provider's words that taught it; absent from the traits before. */
  because?: string;
}

const textOf = ({ path, why, detail }: Loss): string => JSON.stringify([path, why, detail]);

/**
 * Adds to losses the words of the refusal from which their trait was learnt. The losses that a step adds to those of the
 * step before are due to its refusal.
 */
export function explainLosses(
  losses: readonly Loss[],
  steps: readonly TraitsStep[],
  encode: (traits: Traits) => { losses: readonly Loss[] },
): readonly Loss[] {
  if (losses.length === 0) return losses;
  const because = new Map<string, string>();
  let before = new Set<string>();
  for (const [i, step] of steps.entries()) {
    // The losses of the last step are known, because the request was written with its traits.
    const found = (i === steps.length - 1 ? losses : encode(step.traits).losses).map(textOf);
    if (step.because !== undefined)
      for (const text of found) if (!before.has(text)) because.set(text, step.because);
    before = new Set(found);
  }
  return losses.map((loss) => {
    const words = because.get(textOf(loss));
    if (words === undefined) return loss;
    return { ...loss, detail: `${loss.detail ? `${loss.detail}; ` : ""}refused by the provider: ${words}` };
  });
}
