import chatstyleImages from "./image/chatstyle.json" with { type: "json" };
import genstyleImages from "./image/genstyle.json" with { type: "json" };
import mediastyleImages from "./image/mediastyle.json" with { type: "json" };
import type { ImageModel, JudgingModel, SoundModel, VideoModel } from "./model.ts";
import chatstyleModerations from "./moderation/chatstyle.json" with { type: "json" };
import searchstyleRankings from "./rerank/searchstyle.json" with { type: "json" };
import topstyleRankings from "./rerank/topstyle.json" with { type: "json" };
import { modelsOf } from "./rows.ts";
import chatstyleSpeech from "./speech/chatstyle.json" with { type: "json" };
import chatstyleTranscriptions from "./transcription/chatstyle.json" with { type: "json" };
import genstyleVideos from "./video/genstyle.json" with { type: "json" };
import mediastyleVideos from "./video/mediastyle.json" with { type: "json" };
import routerstyleVideos from "./video/routerstyle.json" with { type: "json" };

export type { ImageModel, JudgingModel, SoundModel, VideoModel } from "./model.ts";
export { type FamilyRow, familyRowsOf, knownTraits } from "./text/index.ts";

/** The known image models, by their provider's names: their inputs, capabilities and prices. */
export const imageModels = modelsOf<ImageModel>(chatstyleImages, mediastyleImages, genstyleImages);

/** The known video models, by their provider's names. */
export const videoModels = modelsOf<VideoModel>(mediastyleVideos, routerstyleVideos, genstyleVideos);

/** The known speech models that answer while their caller waits. */
export const speechModels = modelsOf<SoundModel>(chatstyleSpeech);

/** The known models that transcribe. */
export const transcriptionModels = modelsOf<SoundModel>(chatstyleTranscriptions);

/** The known models that order documents, by their vendor's names: inputs and prices. */
export const rerankModels = modelsOf<JudgingModel>(searchstyleRankings, topstyleRankings);

/** The known models that moderate, by their vendor's names: inputs and prices. */
export const moderationModels = modelsOf<JudgingModel>(chatstyleModerations);
