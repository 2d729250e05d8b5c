export type * from "./apply-defaults.ts";
export { fitAsk } from "./apply-defaults.ts";
export type { ParamNames } from "./ask-params.ts";
export type * from "./asset/index.ts";
export { assetErrors, assetSchema, encodeAsset } from "./asset/index.ts";
export type * from "./characters.ts";
export type * from "./content.ts";
export { addressOf, assetId, base64Bytes, imageTypes, mediaUrl, toInline } from "./content.ts";
export type * from "./counts.ts";
export { tierOf } from "./counts.ts";
export type * from "./embed/index.ts";
export {
  callsOf,
  checkEmbed,
  embedCodecs,
  embedWires,
  estimateEmbed,
  fetchesOf,
  inlineEmbed,
  joinEmbed,
  shortfall,
  takesOf,
} from "./embed/index.ts";
export type * from "./image/index.ts";
export {
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
  imageFacts,
  nativeImageSchema,
  pixelsOf,
} from "./image/index.ts";
export type * from "./speech/index.ts";
export {
  checkSpeech,
  checkSpeechParams,
  countsOfSpeech,
  encodeAudioJob,
  encodeVoices,
  estimateSpeech,
  fitSpeech,
  generationWithReferenceSchema,
  knownVoices,
  modelOfSpeech,
  rateOf,
  readSubtitle,
  speechFiles,
  speechJsonSchema,
  speechUnfetched,
  textToSpeechSchema,
  voiceQuerySchema,
  voiceSchema,
  voicesSchema,
} from "./speech/index.ts";
export type * from "./video/index.ts";
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
  nativeVideoSchema,
  storableContent,
  videoFacts,
} from "./video/index.ts";
