import type { Failure } from "../../ir/failure.ts";
import type { Extra } from "../../ir/part.ts";
import type { Usage } from "../../ir/usage.ts";

/** The formats of speech, as the chat family calls them. */
export const speechFormats = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;
/** One of `speechFormats`. */
export type SpeechFormat = (typeof speechFormats)[number];

/** The canonical request for a text to be spoken while its caller waits. */
export interface SpeakRequest {
  /** The model, by the caller's name for it. */
  model: string;
  /** What is spoken. */
  text: string;
  /** The voice, by the provider's name for it. */
  voiceType: string;
  /** The format of the audio. Absent: `mp3`. */
  format?: SpeechFormat;
  /** From 0.25 to 4. Absent: 1. */
  speed?: number;
  /** Directions for the delivery, in words. */
  instructions?: string;
  /** `sse`: as events with pieces in base64. Absent: the bytes themselves. */
  streamFormat?: "audio" | "sse";
  /** A stable pseudonym of the caller, for wires that require one. */
  user?: string;
  /** Members of the request that only its own protocol knows. */
  extra?: Extra;
}

/** What speech used: tokens, or what its provider bills it by. */
export interface SpeakUsage extends Partial<Usage> {
  /** The length of what was made. */
  seconds?: number;
  /** Characters as the provider counted them. */
  characters?: number;
}

/** A unit of spoken text. The last is `done` or `failure`; without either, the audio broke off. */
export type SpeakEvent =
  | { type: "audio"; bytes: Uint8Array }
  /** All of the audio, at an address of the provider's. */
  | { type: "address"; url: string }
  | { type: "done"; usage?: SpeakUsage }
  | { type: "failure"; failure: Failure };
