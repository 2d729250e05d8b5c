import { chatstyleImages } from "./image/chatstyle.ts";
import { genstyleImages } from "./image/genstyle.ts";
import { mediastyleImages } from "./image/mediastyle.ts";
import type { ImageModel, VideoModel } from "./model.ts";
import { genstyleVideos } from "./video/genstyle.ts";
import { mediastyleVideos } from "./video/mediastyle.ts";
import { routerstyleVideos } from "./video/routerstyle.ts";

export type { ImageModel, VideoModel } from "./model.ts";
export { knownTraits } from "./text.ts";

/** The image models that are known, by their provider's name: what they take, how they count, what they cost. */
export const imageModels: Readonly<Record<string, ImageModel>> = {
  ...chatstyleImages,
  ...mediastyleImages,
  ...genstyleImages,
};

/** The video models that are known, by their provider's name. */
export const videoModels: Readonly<Record<string, VideoModel>> = {
  ...mediastyleVideos,
  ...routerstyleVideos,
  ...genstyleVideos,
};
