import { compact, isObject, type Json, type JsonObject, lookup } from "../../../json/json.ts";
import { type GenerationWithReference, rateOf, type TextToSpeech } from "../ask.ts";

/** A number, left out if it is 0, which is the default. */
const unlessZero = (name: string, value: number): JsonObject => (value === 0 ? {} : { [name]: value });
const whenTrue = (name: string, value: boolean): JsonObject => (value ? { [name]: true } : {});

/** The languages whose names on this wire differ from the callers'. */
const languages = { zh: "zh-cn" };

/** The body of a text-to-speech request. `user` is a stable pseudonym. */
export function encodeReading(ask: TextToSpeech, user: string): JsonObject {
  const { silenceDuration, explicitLanguage, pitch, contextTexts } = ask;
  const additions: JsonObject = {
    ...unlessZero("silence_duration", silenceDuration),
    ...whenTrue("enable_language_detector", ask.enableLanguageDetector),
    ...(explicitLanguage !== undefined && {
      explicit_language: lookup(languages, explicitLanguage) ?? explicitLanguage,
    }),
    ...whenTrue("disable_markdown_filter", ask.disableMarkdownFilter),
    ...whenTrue("disable_emoji_filter", ask.disableEmojiFilter),
    ...(pitch !== 0 && { post_process: { pitch } }),
    ...(contextTexts && contextTexts.length > 0 && { context_texts: contextTexts.slice(0, 1) }),
  };
  return {
    user: { uid: user },
    req_params: {
      text: ask.text,
      speaker: ask.voiceType,
      audio_params: {
        format: ask.format,
        sample_rate: ask.sampleRate,
        ...unlessZero("speech_rate", rateOf(ask)),
        ...unlessZero("loudness_rate", ask.loudnessRate),
      },
      // The wire expects JSON text here, not an object.
      ...(Object.keys(additions).length > 0 && { additions: JSON.stringify(additions) }),
    },
  };
}

const referenceNames = {
  audioUrl: "audio_url",
  audioData: "audio_data",
  imageUrl: "image_url",
  imageData: "image_data",
};

/** A reference with the wire's names; anything else is passed on for the provider to check. */
const toReference = (item: Json): Json =>
  isObject(item)
    ? Object.fromEntries(
        Object.entries(item).map(([name, value]) => [lookup(referenceNames, name) ?? name, value]),
      )
    : item;

/** The default sample rate, always sent: the provider's default is a rate that callers cannot request. */
const SAMPLE_RATE = 24_000;

/** The body of a request for a generation with reference. */
export function encodeReference(ask: GenerationWithReference, model: string): JsonObject {
  return compact<JsonObject>({
    model,
    text_prompt: ask.textPrompt,
    ...(ask.references && ask.references.length > 0 && { references: ask.references.map(toReference) }),
    audio_config: {
      format: ask.format,
      sample_rate: ask.sampleRate ?? SAMPLE_RATE,
      ...unlessZero("speech_rate", ask.speechRate),
      ...unlessZero("loudness_rate", ask.loudnessRate),
      ...unlessZero("pitch_rate", ask.pitchRate),
      ...whenTrue("enable_subtitle", ask.enableSubtitle),
    },
  });
}
