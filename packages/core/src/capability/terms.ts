/** The operations of a model. */
export const operations = [
  "text",
  "image",
  "video",
  "speech",
  "embed",
  "transcription",
  "rerank",
  "moderation",
] as const;
/** One of `operations`. */
export type Operation = (typeof operations)[number];

/** The output modality of the models that have each operation, by which lists of models are filtered. */
export const outputModality = {
  text: "text",
  image: "image",
  video: "video",
  speech: "audio",
  embed: "embedding",
  transcription: "transcription",
  rerank: "ranking",
  moderation: "moderation",
} as const satisfies Record<Operation, string>;

export const mediaKinds = ["image", "document", "audio", "video"] as const;
export type MediaKind = (typeof mediaKinds)[number];

/**
 * The forms in which media is given: by address, inline, as an asset of this service, or as an upload of a provider.
 */
export const forms = ["url", "base64", "asset", "file"] as const;
export type Form = (typeof forms)[number];
