import * as z from "zod";
import { compact, type Json } from "../../json/json.ts";
import { countCharacters } from "../characters.ts";
import type { GenerationWithReference, SpeechProduct, TextToSpeech } from "./ask.ts";
import { REFERENCE_MODEL } from "./counts.ts";

const whole = (least: number, most: number) => {
  const error = `must be an integer from ${least} to ${most}`;
  return z.int({ error }).min(least, error).max(most, error);
};
const oneOf = <const T extends readonly string[]>(words: T) =>
  z.enum(words, { error: `must be one of ${words.join(", ")}` });
const hertz = (rates: readonly number[]) =>
  z.literal(rates, { error: `must be one of ${rates.join(", ")} (hertz)` });
const flag = z.boolean({ error: "must be true or false" });
/** Lengths count characters, not UTF-16 units. */
const text = (most: number) =>
  z
    .string({ error: `is required: a string of 1 to ${most} characters` })
    .refine((value) => value !== "" && countCharacters(value) <= most, {
      error: ({ input }) => `must be 1 to ${most} characters long, not ${countCharacters(String(input))}`,
    })
    .meta({ minLength: 1, maxLength: most });

const rate = whole(-50, 100);
const semitones = whole(-12, 12);

/** The languages that a reading can have. */
export const readingLanguages = [
  "zh",
  "zh-cn",
  "en",
  "ja",
  "es",
  "es-mx",
  "id",
  "pt-br",
  "ko",
  "it",
  "de",
  "fr",
] as const;

const readingBody = z.object({
  voiceType: z
    .string({ error: "is required: a voiceType of the voice catalog" })
    .min(1, "must be a voiceType of the voice catalog"),
  text: text(1000),
  format: oneOf(["mp3", "ogg_opus", "pcm"]).default("mp3"),
  sampleRate: hertz([8000, 16000, 22050, 24000, 32000, 44100, 48000]).default(24000),
  speechRate: rate.default(0),
  loudnessRate: rate.default(0),
  pitch: semitones.default(0),
  silenceDuration: whole(0, 30_000).default(0),
  enableLanguageDetector: flag.default(false),
  explicitLanguage: oneOf(readingLanguages).optional(),
  disableMarkdownFilter: flag.default(false),
  disableEmojiFilter: flag.default(false),
  contextTexts: z
    .array(z.string({ error: "must be a string" }), { error: "must be an array of at most 1 string" })
    .max(1, "must hold at most 1 string")
    .optional(),
});

const referenceBody = z.object({
  model: z.literal(REFERENCE_MODEL, { error: `must be ${REFERENCE_MODEL}` }),
  textPrompt: text(3000),
  references: z
    .array(z.unknown(), { error: "must be an array of at most 3 references" })
    .max(3, "must hold at most 3 references")
    .optional(),
  format: oneOf(["mp3", "wav", "ogg_opus", "pcm"]).default("mp3"),
  sampleRate: hertz([8000, 16000, 24000, 32000, 44100, 48000]).optional(),
  speechRate: rate.default(0),
  loudnessRate: rate.default(0),
  pitchRate: semitones.default(0),
  enableSubtitle: flag.default(false),
});

/** The body of each product, as callers write it. Unknown fields are stripped. */
export const speechBodies: Record<SpeechProduct, z.ZodObject> = {
  "text-to-speech": readingBody,
  "generation-with-reference": referenceBody,
};

/** The body of a reading, and the ask it makes. */
export const textToSpeechSchema: z.ZodType<TextToSpeech> = readingBody.transform((body) =>
  compact<TextToSpeech>({ product: "text-to-speech", ...body }),
);

/** The body of a generation with reference, and the ask it makes. */
export const generationWithReferenceSchema: z.ZodType<GenerationWithReference> = referenceBody.transform(
  ({ references, ...body }) =>
    compact<GenerationWithReference>({
      product: "generation-with-reference",
      ...body,
      ...(references && { references: references as Json[] }),
    }),
);
