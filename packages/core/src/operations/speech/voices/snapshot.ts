import known from "./known.json" with { type: "json" };
import type { Voice } from "./voice.ts";

/** Languages by tag: a flag, and a sentence with which a voice introduces itself. */
const languages: Readonly<Record<string, { flag: string; text: string }>> = known.languages;

/** The built-in catalog of voices. Operators replace it by their own provider's list. */
export const knownVoices: readonly Voice[] = known.voices.map(
  (row) =>
    ({
      ...row,
      languages: row.languages.map((language) => ({ language, ...languages[language] })),
      // Only voices of the second series take instructions in words.
      capabilities: { contextTexts: row.resourceId === "seed-tts-2.0" },
    }) as Voice,
);
