import type { Traits } from "../codec/traits.ts";
import type { Loss } from "../ir/loss.ts";

/** The traits of a model after one more thing was learnt of it. */
export interface TraitsStep {
  /** All traits that are known after it, not only the new one. */
  traits: Traits;
  /** The provider's words that taught it; absent from the traits before. */
  because?: string;
}

const textOf = ({ path, why, detail }: Loss): string => JSON.stringify([path, why, detail]);

/**
 * Adds the provider's words to the losses that are due to what was learnt from them: those that the request has with
 * the traits of a step and has not with those of the step before.
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
    // With the last step the request was written.
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
