import type { SpeechAsk } from "./ask.ts";
import type { Subtitle } from "./subtitle.ts";

/** The facts of generated speech beside its bytes: plain data, to be kept with its job. */
export interface SpeechMade {
  /** `audio/mpeg`, by the format that was requested. */
  mediaType: string;
  /** The length of play. */
  seconds?: number;
  /** The length of the model's own output, which is billed. */
  billedSeconds?: number;
  /** Characters as the provider counted them. */
  characters?: number;
  /** The provider's own address of it: signed, so never logged, and gone after about two hours. */
  providerUrl?: string;
  /** The times of sentences and words, where they were requested. */
  subtitle?: Subtitle;
}

/** The sources of the bytes. A stream is read once; it ends with an error where it is cut or grows past its bound. */
export type SpeechAudio =
  | { type: "bytes"; bytes: Uint8Array }
  | { type: "stream"; chunks: AsyncIterable<Uint8Array> }
  | { type: "url"; url: string };

/** Made speech. */
export interface SpeechResult extends SpeechMade {
  /** Where the bytes are. */
  audio: SpeechAudio;
}

/** The media type and extension of audio in each format. */
export const speechFiles: Readonly<Record<SpeechAsk["format"], { mediaType: string; extension: string }>> = {
  mp3: { mediaType: "audio/mpeg", extension: "mp3" },
  ogg_opus: { mediaType: "audio/ogg", extension: "ogg" },
  wav: { mediaType: "audio/wav", extension: "wav" },
  pcm: { mediaType: "audio/pcm", extension: "pcm" },
};
