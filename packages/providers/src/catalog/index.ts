import chatstyleImages from "./image/chatstyle.json" with { type: "json" };
import genstyleImages from "./image/genstyle.json" with { type: "json" };
import mediastyleImages from "./image/mediastyle.json" with { type: "json" };
import type { ImageModel, VideoModel } from "./model.ts";
import { modelsOf } from "./rows.ts";
import genstyleVideos from "./video/genstyle.json" with { type: "json" };
import mediastyleVideos from "./video/mediastyle.json" with { type: "json" };
import routerstyleVideos from "./video/routerstyle.json" with { type: "json" };

export type { ImageModel, VideoModel } from "./model.ts";
export { type FamilyRow, familyRowsOf, knownTraits } from "./text/index.ts";

/** The known image models, by their provider's names: their inputs, capabilities and prices. */
export const imageModels = modelsOf<ImageModel>(chatstyleImages, mediastyleImages, genstyleImages);

/** The known video models, by their provider's names. */
export const videoModels = modelsOf<VideoModel>(mediastyleVideos, routerstyleVideos, genstyleVideos);
