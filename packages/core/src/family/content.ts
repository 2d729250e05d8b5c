import type { Traits } from "../codec/traits.ts";
import type { MediaPart, OpaquePart, Source, TextPart } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { toUrl, typeOfPicture } from "../ir/media-source.ts";

/** The context of an encoder of a request. */
export interface Context {
  lose: Lose;
  traits: Traits;
}

/** The parts of messages and results, beside calls. */
export type ContentPart = TextPart | MediaPart | OpaquePart;

/** The address of a picture. That of bytes names the type of a picture: servers refuse data of any other type. */
export function pictureUrl(source: Source, path: string, lose: Lose): string | undefined {
  if (source.type !== "base64") return toUrl(source);
  const mediaType = typeOfPicture(source);
  if (mediaType !== source.mediaType) lose(`${path}/source/mediaType`, "approximated", `became ${mediaType}`);
  return toUrl({ ...source, mediaType });
}
