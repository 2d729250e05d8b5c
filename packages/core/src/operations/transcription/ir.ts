import type { Failure } from "../../ir/failure.ts";
import type { Extra } from "../../ir/part.ts";
import type { Usage } from "../../ir/usage.ts";
import type { Json } from "../../json/json.ts";

/** The recording of a request. Its bytes are kept by the program and enter the body as it is sent: see `FILE`. */
export interface Recording {
  /** `audio/mpeg`, by its content. */
  mediaType: string;
  /** The file's name, which some servers recognise its format by. */
  name: string;
  /** The size of the file. */
  bytes: number;
  /** How long it plays; absent where that is not known. */
  seconds?: number;
}

/** The forms of an answer on the wire that has several; the other wires have one of their own. */
export const transcriptFormats = ["json", "text", "srt", "vtt", "verbose_json", "diarized_json"] as const;
/** One of `transcriptFormats`. */
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** The canonical request for the text of a recording. */
export interface TranscriptionRequest {
  /** The model, by the caller's name for it. */
  model: string;
  /** The recording. */
  file: Recording;
  /** `translate`: into English. Absent: in the language that is spoken. */
  task?: "translate";
  /** What the answer holds, and in which form. Absent: `json`, the text alone. */
  responseFormat?: TranscriptFormat;
  /** The language that is spoken: `en`. */
  language?: string;
  /** Languages that may be spoken. */
  languages?: string[];
  /** A text that the recording continues, or words about it. */
  prompt?: string;
  /** Words that may occur in it. */
  keywords?: string[];
  /** Randomness, from 0. */
  temperature?: number;
  /** The times of words, of segments, or of both. */
  timestampGranularities?: ("word" | "segment")[];
  /** The names of speakers, and a sample of each as a data URL. */
  knownSpeakerNames?: string[];
  knownSpeakerReferences?: string[];
  /** How the recording is cut: `auto`, or settings of the vendor's. */
  chunkingStrategy?: Json;
  /** Further contents of the answer: `logprobs`. */
  include?: string[];
  /** Whether the answer should arrive as it is made. */
  stream?: boolean;
  /** Members of the request that only its own protocol knows. */
  extra?: Extra;
}

/** A word and when it is said, in seconds from the beginning. */
export interface TranscriptWord {
  text: string;
  start: number;
  end: number;
  /** Who says it. */
  speaker?: string;
  extra?: Extra;
}

/** A passage and when it is said, in seconds from the beginning. */
export interface TranscriptSegment extends TranscriptWord {
  id?: string;
}

/** What a transcription used: tokens, seconds, or both. */
export interface TranscriptionUsage extends Partial<Usage> {
  /** The length of the recording as the provider counted it. */
  seconds?: number;
}

/** The canonical answer. */
export interface TranscriptionReply {
  text: string;
  /** The language that is spoken, in the provider's spelling. */
  language?: string;
  /** All languages that were found, as codes. */
  languages?: string[];
  /** The length of the recording as the provider measured it. */
  seconds?: number;
  segments?: TranscriptSegment[];
  words?: TranscriptWord[];
  usage?: TranscriptionUsage;
  /** The model's output ended at its limit, before the recording did. */
  truncated?: true;
  /** The error in place of a transcript. */
  failure?: Failure;
  /** Members of the answer that only its own protocol knows. */
  extra?: Extra;
}

/** A unit of a streamed answer. The last is `done`, with the whole text, or with the error in its place. */
export type TranscriptionEvent =
  | { type: "delta"; text: string; segment?: string; extra?: Extra }
  | { type: "segment"; segment: TranscriptSegment }
  | { type: "done"; reply: TranscriptionReply };
