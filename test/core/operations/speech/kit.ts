import {
  type GenerationWithReference,
  generationWithReferenceSchema,
  type TextToSpeech,
  textToSpeechSchema,
} from "@manifold-gateway/core/operations";

/** A reading with defaults filled in. */
export const reading = (more: Partial<TextToSpeech> = {}): TextToSpeech => ({
  ...textToSpeechSchema.parse({ voiceType: "en_male_tim_uranus_bigtts", text: "Hello." }),
  ...more,
});

/** A generation with reference, defaults filled in. */
export const reference = (more: Partial<GenerationWithReference> = {}): GenerationWithReference => ({
  ...generationWithReferenceSchema.parse({
    model: "seed-audio-1.0-multilingual",
    textPrompt: "Rain on a roof.",
  }),
  ...more,
});
