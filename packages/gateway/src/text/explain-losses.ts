import type { Loss } from "@manifold-gateway/core";
import type { Traits } from "@manifold-gateway/core/codec";
import type { Resolution } from "../routing/candidate.ts";
import { mergedTraits } from "../routing/traits.ts";

const textOf = ({ path, why, detail }: Loss): string => JSON.stringify([path, why, detail]);

/**
 * Adds the provider's words to the losses that are due to what was learnt from them: those that the request has with a
 * lesson and has not without it and later ones.
 */
export function explainLosses(
  losses: readonly Loss[],
  { entry, provider, protocol, learnt }: Resolution,
  encode: (traits: Traits) => { losses: readonly Loss[] },
): Loss[] {
  const because = new Map<string, string>();
  const traits: Traits = {};
  let before = new Set<string>();
  for (const lesson of [undefined, ...(learnt?.lessons ?? [])]) {
    Object.assign(traits, lesson?.traits);
    const found = encode(mergedTraits(entry, provider, protocol, traits)).losses.map(textOf);
    for (const text of found) if (lesson && !before.has(text)) because.set(text, lesson.because);
    before = new Set(found);
  }
  return losses.map((loss) => {
    const words = because.get(textOf(loss));
    if (words === undefined) return loss;
    return { ...loss, detail: `${loss.detail ? `${loss.detail}; ` : ""}refused by the provider: ${words}` };
  });
}
