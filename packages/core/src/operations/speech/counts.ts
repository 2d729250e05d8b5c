import { countCharacters } from "../characters.ts";
import { type SpeechAsk, textOfSpeech } from "./ask.ts";
import type { SpeechMade } from "./result.ts";

/** Units of speech, by the names that prices use. `seconds` counts to the millisecond. */
export interface SpeechCounts {
  characters?: number;
  seconds?: number;
  /** Set where the provider reported no count: these are our own count, or the most that it can be. */
  estimated?: true;
}

/** The only model of generation with reference. */
export const REFERENCE_MODEL = "seed-audio-1.0-multilingual";

/** The longest audio that a generation with reference makes, in seconds. */
export const LONGEST_SPEECH = 120;

/** The most that an ask can come to: what is held before it is submitted. */
export const estimateSpeech = (ask: SpeechAsk): SpeechCounts =>
  ask.product === "text-to-speech"
    ? { characters: countCharacters(textOfSpeech(ask)) }
    : { seconds: LONGEST_SPEECH };

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
