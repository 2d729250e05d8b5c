import type { Extra, MediaPart, TextPart } from "../../ir/part.ts";

export type EmbedPart =
  | Pick<TextPart, "type" | "text" | "extra">
  | Pick<MediaPart, "type" | "kind" | "source" | "extra">;

/** The content of one vector: several parts give one vector together. */
export interface EmbedContent {
  parts: EmbedPart[];
  extra?: Extra;
}

/** Text that the caller has tokenized with the model's own tokenizer: opaque to every other wire. */
export interface EmbedTokens {
  tokens: number[];
}
export type EmbedInput = EmbedContent | EmbedTokens;

/** The canonical embedding request: one vector for each input. */
export interface EmbedRequest {
  model: string;
  inputs: EmbedInput[];
  /** The request was written as a list, so the answer is a list too. Always set unless there is exactly one input. */
  batch?: true;
  /** The length of the vectors. */
  dimensions?: number;
  /** The form in which the caller wants the vectors; absent means `float`. Upstream always sends floats. */
  encoding?: "float" | "base64";
  /** A stable id of the end user. */
  user?: string;
  extra?: Extra;
}

/** Tokens that were embedded; the others are parts of `input`. */
export interface EmbedUsage {
  input: number;
  imageInput?: number;
  audioInput?: number;
  videoInput?: number;
  /** US dollars that upstream says it charged: kept beside our own cost, never what a caller is charged or shown. */
  upstreamUsd?: number;
}

/** One vector for each input, in their order. A vector that could not be read is empty. */
export interface EmbedReply {
  vectors: number[][];
  usage?: EmbedUsage;
  model?: string;
}
