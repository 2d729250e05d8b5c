import { type Operation, outputModality } from "@manifold-gateway/core/capability";

export type { Operation };

interface Output {
  /** The modality by which lists of models are filtered. */
  modality: string;
  /** A model is capable of the operation if it has one of these output modalities. */
  carriedBy: readonly string[];
  word: string;
}

const output = (operation: Operation, word: string): Output => {
  const modality = outputModality[operation];
  return { modality, carriedBy: [modality], word };
};

/**
 * The outputs of each operation. Replies of text can also contain images and audio, from models that generate them in
 * conversations.
 */
export const outputs: Record<Operation, Output> = {
  text: { modality: outputModality.text, carriedBy: ["text", "image", "audio"], word: "text" },
  embed: output("embed", "embeddings"),
  image: output("image", "images"),
  video: output("video", "videos"),
  speech: output("speech", "speech"),
  // Models of text that hear write down what they hear: which entries do is a rule of the operation.
  transcription: { ...output("transcription", "transcripts"), carriedBy: ["transcription", "text"] },
  rerank: output("rerank", "rankings"),
  moderation: output("moderation", "moderations"),
};
