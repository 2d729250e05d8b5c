import type { Extra, MediaPart, TextPart } from "../../ir/part.ts";

/** A piece of an input: text or media. */
export type EmbedPart =
  | Pick<TextPart, "type" | "text" | "extra">
  | Pick<MediaPart, "type" | "kind" | "source" | "extra">;

/** The content of one vector: several parts give one vector together. */
export interface EmbedContent {
  /** The pieces, in order. */
  parts: EmbedPart[];
  /** Members of the input that only its own protocol knows. */
  extra?: Extra;
}

/** Text that the caller has tokenized with the model's own tokenizer: opaque to every other wire. */
export interface EmbedTokens {
  /** The ids of the tokens. */
  tokens: number[];
}
/** What one vector stands for. */
export type EmbedInput = EmbedContent | EmbedTokens;

/** The canonical embedding request: one vector for each input. */
export interface EmbedRequest {
  /** The model, by the caller's name for it. */
  model: string;
  /** What to embed: one vector each. */
  inputs: EmbedInput[];
  /** The request was written as a list, so the answer is a list too. Always set unless there is exactly one input. */
  batch?: true;
  /** The length of the vectors. */
  dimensions?: number;
  /** The form in which the caller wants the vectors; absent means `float`. Upstream always sends floats. */
  encoding?: "float" | "base64";
  /** A stable id of the end user. */
  user?: string;
  /** Members of the request that only its own protocol knows. */
  extra?: Extra;
}

/** Tokens that were embedded; the others are parts of `input`. */
export interface EmbedUsage {
  /** All tokens. */
  input: number;
  /** The tokens of images. */
  imageInput?: number;
  /** The tokens of sound. */
  audioInput?: number;
  /** The tokens of videos. */
  videoInput?: number;
  /** US dollars that upstream says it charged: kept beside our own cost, never what a caller is charged or shown. */
  upstreamUsd?: number;
}

/** One vector for each input, in their order. A vector that could not be read is empty. */
export interface EmbedReply {
  /** The vectors, in the order of the inputs. */
  vectors: number[][];
  /** What was embedded, where the vendor reported it. */
  usage?: EmbedUsage;
  /** The model that answered, by the vendor's name. */
  model?: string;
}
