import known from "./known.json" with { type: "json" };
import type { Voice } from "./voice.ts";

/** By their tags: a flag, and a sample of what a reader would say to introduce herself. */
const languages: Readonly<Record<string, { flag: string; text: string }>> = known.languages;

/** Voices that are known without asking anyone. Operators replace them by what their own provider lists. */
export const knownVoices: readonly Voice[] = known.voices.map(
  (row) =>
    ({
      ...row,
      languages: row.languages.map((language) => ({ language, ...languages[language] })),
      // Only voices of the second series take instructions in words.
      capabilities: { contextTexts: row.resourceId === "seed-tts-2.0" },
    }) as Voice,
);
