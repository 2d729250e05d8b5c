export * from "../embeddings.ts";
export * from "../moderation.ts";
export * from "../rerank.ts";
export * from "../speech.ts";
export * from "../transcription.ts";
export { fitAsk } from "./apply-defaults.ts";
export type { ParamNames } from "./ask-params.ts";
export {
  type AssetAsk,
  type AssetBody,
  type AssetRecord,
  type AssetResult,
  assetErrors,
  assetSchema,
  encodeAsset,
} from "./asset/index.ts";
export type { OperationCodec, OperationFacts, OperationIssue, OperationRequest } from "./codec.ts";
export { addressOf, base64Bytes, imageTypes, mediaUrl, type PartSource, toInline } from "./content.ts";
export { type Facts, type MediaPrice, type Tier, tierOf } from "./counts.ts";
export { extensionOf, SNIFFED, sniff } from "./file-type.ts";
export {
  type ChatstyleImageEvent,
  chatstyleImageNames,
  chatstyleImageSchema,
  checkImage,
  countsOfImage,
  decodeChatstyleImage,
  decodeNativeImage,
  encodeChatstyleCompleted,
  encodeChatstyleImage,
  encodeChatstylePreview,
  encodeImageJob,
  encodeNativeImage,
  estimateImage,
  type ImageAsk,
  type ImageInput,
  type ImageMeter,
  type ImageOutput,
  type ImagePreview,
  type ImageResult,
  type ImageUsage,
  imageFacts,
  nativeImageSchema,
  pixelsOf,
  withoutAuto,
} from "./image/index.ts";
export {
  type OperationCall,
  type OperationPlan,
  type OperationPlanOptions,
  type OperationRules,
  type OperationSource,
  type OperationTarget,
  planOperation,
} from "./plan.ts";
export {
  checkSpeech,
  checkSpeechParams,
  countsOfSpeech,
  encodeAudioJob,
  encodeReading,
  encodeReference,
  encodeVoices,
  estimateSpeech,
  fitSpeech,
  type GenerationWithReference,
  generationWithReferenceSchema,
  knownVoices,
  modelOfSpeech,
  rateOf,
  readGenerated,
  readItems,
  readObjects,
  readSubtitle,
  type SpeechAsk,
  type SpeechMade,
  type SpeechProduct,
  type SpeechResult,
  speechFiles,
  speechJsonSchema,
  speechUnfetched,
  type TextToSpeech,
  textToSpeechSchema,
  type Voice,
  voiceQuerySchema,
  voiceSchema,
  voicesSchema,
} from "./speech/index.ts";
export {
  chatstyleVideoNames,
  chatstyleVideoSchema,
  checkVideo,
  countsOfVideo,
  decodeChatstyleVideo,
  decodeNativeVideo,
  encodeChatstyleVideo,
  encodeNativeVideo,
  estimateVideo,
  type ImageRole,
  nativeVideoSchema,
  storableContent,
  type VideoAsk,
  type VideoKnown,
  type VideoMeter,
  type VideoPart,
  type VideoResult,
  type VideoState,
  videoFacts,
} from "./video/index.ts";
