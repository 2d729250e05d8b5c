import type { Model } from "@manifold-gateway/gateway";
import {
  imageModels,
  moderationModels,
  rerankModels,
  type SoundModel,
  speechModels,
  transcriptionModels,
  videoModels,
} from "@manifold-gateway/providers";

type Terms = Partial<Model["entries"][number]>;

const generated = { ...imageModels, ...videoModels };
const judging = { ...rerankModels, ...moderationModels };
const sounding = { ...speechModels, ...transcriptionModels };

/** The names of the known media models. */
export const knownNames = [...Object.keys(generated), ...Object.keys(sounding)];

/** The price, limits and meter of a known model that reads aloud or transcribes. */
export function termsOfSound({ capabilities, meter, tiers }: SoundModel): Terms {
  return { capabilities, ...(meter && { meter }), ...(tiers[0] && { price: tiers[0].price }) };
}

/** The known limits and prices of a media model, by its name in the tables. */
export function knownTerms(name: string): Terms {
  const known = generated[name];
  if (known) return { capabilities: known.capabilities, meter: known.meter, tiers: known.tiers };
  const sound = sounding[name];
  return sound ? termsOfSound(sound) : {};
}

/**
 * The known limits and prices of a provider's model, by the provider's name for it. For models that answer while their
 * caller waits, they apply only at the preset of their table, because other providers use the same names on other
 * terms.
 */
export function knownTermsAt(preset: string | undefined, name: string): Terms {
  if (generated[name]) return knownTerms(name);
  const judge = judging[name];
  if (judge) return judge.provider === preset ? { price: judge.price } : {};
  const row = Object.entries(sounding).find(
    ([key, { provider, name: own = key }]) => provider === preset && own === name,
  );
  return row ? termsOfSound(row[1]) : {};
}
