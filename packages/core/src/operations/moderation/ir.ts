import type { Extra, MediaPart, TextPart } from "../../ir/part.ts";

/** A piece of what is judged: text or an image. */
export type ModerationPart =
  | Pick<TextPart, "type" | "text" | "extra">
  | (Pick<MediaPart, "type" | "source" | "extra"> & { kind: "image" });

/** What one result judges: several parts are judged together. */
export interface ModerationInput {
  /** The pieces, in order. */
  parts: ModerationPart[];
}

/** The canonical request to judge contents by the categories of a model. */
export interface ModerationRequest {
  /** The model, by the caller's name for it. */
  model: string;
  /** What is judged: one result each. Several inputs are texts. */
  inputs: ModerationInput[];
  /** Members of the request that only its own protocol knows. */
  extra?: Extra;
}

/** The verdict on one input. Categories have the model's own names. */
export interface ModerationResult {
  /** Whether any category applies. */
  flagged: boolean;
  /** Whether each category applies. */
  categories: Readonly<Record<string, boolean>>;
  /** How sure the model is of each category, from 0 to 1. */
  scores: Readonly<Record<string, number>>;
  /** The kinds of parts that each category was judged by: `text`, `image`. */
  inputTypes?: Readonly<Record<string, readonly string[]>>;
}

/** One verdict for each input, in their order. */
export interface ModerationReply {
  results: (ModerationResult | undefined)[];
  /** Tokens, where the provider reported them. */
  usage?: { input: number };
  /** The provider's id of the answer. */
  id?: string;
  /** The model that answered, by the vendor's name. */
  model?: string;
}
