import { countCharacters } from "../characters.ts";
import { estimateSpeak, speakUnit } from "../speak/estimate.ts";
import { rateOf, type SpeechAsk, textOfSpeech } from "./ask.ts";
import type { SpeechMade } from "./result.ts";

/** Units of speech, by the names that prices use. `seconds` counts to the millisecond. */
export interface SpeechCounts {
  characters?: number;
  seconds?: number;
  /** Tokens of the text. */
  input?: number;
  /** Tokens of the audio. */
  output?: number;
  /** The same: all that speech generates is audio. */
  audioOutput?: number;
  /** Set where the provider reported no count: these are our own count, or the most that it can be. */
  estimated?: true;
}

/** The only model of generation with reference. */
export const REFERENCE_MODEL = "seed-audio-1.0-multilingual";

/** The longest audio that a generation with reference makes, in seconds. */
export const LONGEST_SPEECH = 120;

/** Tokens in a second of audio, at models that count them. */
const TOKENS_PER_SECOND = 25;

/**
 * The most that an ask can come to: what is held before it is submitted. Its product is counted by characters or
 * seconds, and for a price that has no rate for that, also by what the price has one for.
 */
export function estimateSpeech(
  ask: SpeechAsk,
  price: { readonly [unit in keyof SpeechCounts]?: number } = {},
): SpeechCounts {
  const text = textOfSpeech(ask);
  const isReading = ask.product === "text-to-speech";
  const usual = isReading ? { characters: countCharacters(text) } : { seconds: LONGEST_SPEECH };
  const rated = Object.entries(price).flatMap(([unit, rate]) => (rate > 0 ? [unit] : []));
  if (rated.length === 0 || rated.some((unit) => unit in usual)) return usual;
  const { characters, seconds, ...tokens } = estimateSpeak(
    { model: "", voiceType: "", text, speed: 1 + rateOf(ask) / 100 },
    { tokensPerSecond: TOKENS_PER_SECOND, longest: isReading ? undefined : LONGEST_SPEECH },
  );
  return { ...usual, ...{ characters: { characters }, seconds: { seconds }, tokens }[speakUnit(price)] };
}

/**
 * The counts of the output, in the units of prices. Readings are billed by the characters that the caller sent, which
 * is what a provider counts too; the other product by the seconds that the model made.
 */
export function countsOfSpeech(ask: SpeechAsk, output: SpeechMade): SpeechCounts {
  const estimate = estimateSpeech(ask);
  if (ask.product === "text-to-speech") {
    // A caller never pays for more characters than it sent, whatever the provider counts.
    const reported = output.characters;
    return reported === undefined
      ? estimate
      : { characters: Math.min(reported, estimate.characters ?? reported) };
  }
  const reported = output.billedSeconds ?? output.seconds;
  return reported === undefined
    ? { ...estimate, estimated: true }
    : { seconds: Math.min(reported, LONGEST_SPEECH) };
}
