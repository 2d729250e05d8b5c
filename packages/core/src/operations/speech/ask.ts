import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import type { Json } from "../../json/json.ts";

/** The speech products of the service: each has a body of its own, and they share one kind of job. */
export const speechProducts = ["text-to-speech", "generation-with-reference"] as const;
/** One of `speechProducts`. */
export type SpeechProduct = (typeof speechProducts)[number];

/** Plain reading in a voice of the catalog. Defaults are filled in. */
export interface TextToSpeech {
  product: "text-to-speech";
  /** The voice's name in the catalog. */
  voiceType: string;
  /** What is read. */
  text: string;
  /** The format of the audio. */
  format: "mp3" | "ogg_opus" | "pcm";
  /** Hertz. */
  sampleRate: number;
  /** Percent: -50 is half speed, 100 double. Without a `pitch` it has no effect; see `rateOf`. */
  speechRate: number;
  /** Percent: -50 is half volume, 100 double. */
  loudnessRate: number;
  /** Semitones. */
  pitch: number;
  /** Milliseconds after the last sentence. */
  silenceDuration: number;
  /** Finds the language of each passage, instead of one for all. */
  enableLanguageDetector: boolean;
  /** The language of the text, as a BCP-47 code: `en`. */
  explicitLanguage?: string;
  /** `true` removes markdown, `false` reads it out literally: the opposite of what the name suggests. */
  disableMarkdownFilter: boolean;
  /** `true` keeps emoji. */
  disableEmojiFilter: boolean;
  /** Directions for the delivery of the text, in words: at most one. */
  contextTexts?: string[];
}

/** Speech and sound after a prompt, with voices or a picture to follow. */
export interface GenerationWithReference {
  product: "generation-with-reference";
  /** The model, by the caller's name for it. */
  model: string;
  /** Names the references by their positions: `@Audio1`. */
  textPrompt: string;
  /** At most three. What an item holds is for the provider to judge. */
  references?: Json[];
  /** The format of the audio. */
  format: "mp3" | "wav" | "ogg_opus" | "pcm";
  /** Hertz. */
  sampleRate?: number;
  /** Percent: -50 is half speed, 100 double. */
  speechRate: number;
  /** Percent: -50 is half volume, 100 double. */
  loudnessRate: number;
  /** Semitones. */
  pitchRate: number;
  /** Adds the times of sentences and words. */
  enableSubtitle: boolean;
}

/** The places where an address in a speech request is only text; those of its references are fetched. */
export const speechUnfetched = defineUnfetched(["textPrompt", "contextTexts"], []);

/** The canonical speech request. */
export type SpeechAsk = TextToSpeech | GenerationWithReference;

/** The effective speech rate: in a reading it acts only together with a pitch. */
export const rateOf = (ask: SpeechAsk): number =>
  ask.product === "text-to-speech" && ask.pitch === 0 ? 0 : ask.speechRate;

/** The text that is spoken or followed. */
export const textOfSpeech = (ask: SpeechAsk): string =>
  ask.product === "text-to-speech" ? ask.text : ask.textPrompt;
