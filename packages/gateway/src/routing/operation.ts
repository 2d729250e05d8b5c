/** The kinds of things that a model makes. */
export type Operation = "text" | "embedding" | "image" | "video" | "speech";

interface Output {
  /** The modality of models that lists are filtered by. */
  modality: string;
  /** The modalities of models that can do it. */
  carriedBy: readonly string[];
  word: string;
}

const made = (modality: string, word: string): Output => ({ modality, carriedBy: [modality], word });

/**
 * The outputs of each operation. Answers of text hold pictures and sound too, of models that make them in
 * conversations.
 */
export const outputs: Record<Operation, Output> = {
  text: { modality: "text", carriedBy: ["text", "image", "audio"], word: "text" },
  embedding: made("embedding", "embeddings"),
  image: made("image", "images"),
  video: made("video", "videos"),
  speech: made("audio", "speech"),
};
