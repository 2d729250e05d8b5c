import * as z from "zod";
import { ages, genders, languageTag, readingModels, type Voice, voiceCategories } from "./voice.ts";

const oneOf = <const T extends readonly string[]>(words: T) =>
  z.enum(words, { error: `must be one of ${words.join(", ")}` }).optional();

/** The query of the voice catalog. Every filter that is given has to be met. */
export const voiceQuerySchema = z.object({
  gender: oneOf(genders),
  age: oneOf(ages),
  category: oneOf(voiceCategories),
  language: languageTag.optional(),
  resourceId: oneOf(readingModels),
});
export type VoiceQuery = z.infer<typeof voiceQuerySchema>;

/** Checks whether a voice has a language: the tag itself or a more specific one, as `en-US` for `en`. */
function speaks({ languages }: Voice, tag: string): boolean {
  const wanted = tag.toLowerCase();
  return languages.some(({ language }) => `${language.toLowerCase()}-`.startsWith(`${wanted}-`));
}

/** The voices that meet a query, in the catalog's order. */
export const filterVoices = (voices: readonly Voice[], query: VoiceQuery): Voice[] =>
  voices.filter(
    (voice) =>
      (query.gender === undefined || voice.gender === query.gender) &&
      (query.age === undefined || voice.age === query.age) &&
      (query.category === undefined || voice.categories.includes(query.category)) &&
      (query.language === undefined || speaks(voice, query.language)) &&
      (query.resourceId === undefined || voice.resourceId === query.resourceId),
  );

/** The catalog's answer to a query. */
export function encodeVoices(
  voices: readonly Voice[],
  query: VoiceQuery,
): { voices: Voice[]; total: number } {
  const found = filterVoices(voices, query);
  return { voices: found, total: found.length };
}
