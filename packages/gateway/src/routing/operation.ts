/** The kinds of output that a model generates. */
export type Operation = "text" | "embedding" | "image" | "video" | "speech";

interface Output {
  /** The modality by which lists of models are filtered. */
  modality: string;
  /** A model is capable of the operation if it has one of these output modalities. */
  carriedBy: readonly string[];
  word: string;
}

const output = (modality: string, word: string): Output => ({ modality, carriedBy: [modality], word });

/**
 * The outputs of each operation. Replies of text can also contain images and audio, from models that generate them in
 * conversations.
 */
export const outputs: Record<Operation, Output> = {
  text: { modality: "text", carriedBy: ["text", "image", "audio"], word: "text" },
  embedding: output("embedding", "embeddings"),
  image: output("image", "images"),
  video: output("video", "videos"),
  speech: output("audio", "speech"),
};
