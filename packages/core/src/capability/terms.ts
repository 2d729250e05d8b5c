/** The operations of a model. */
export const operations = ["text", "image", "video", "speech", "embed"] as const;
/** One of `operations`. */
export type Operation = (typeof operations)[number];

export const mediaKinds = ["image", "document", "audio", "video"] as const;
export type MediaKind = (typeof mediaKinds)[number];

/**
 * The forms in which media is given: by address, inline, as an asset of this service, or as an upload of a provider.
 */
export const forms = ["url", "base64", "asset", "file"] as const;
export type Form = (typeof forms)[number];
