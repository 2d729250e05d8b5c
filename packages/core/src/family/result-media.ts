import type { Traits } from "../codec/traits.ts";
import type { MediaPart } from "../ir/index.ts";

/** Checks whether a result can hold a medium. */
export const holdsMedia = ({ kind }: MediaPart, { resultMedia = true }: Traits): boolean =>
  typeof resultMedia === "boolean" ? resultMedia : resultMedia.includes(kind);
