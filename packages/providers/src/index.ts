export {
  type Adapter,
  type AssetAdapter,
  adapters,
  createLineClient,
  faultOf,
  type ImageAdapter,
  type Line,
  localAsset,
  type Operation,
  type Progress,
  readJson,
  type Service,
  type Trouble,
  type VideoAdapter,
  type Wire,
} from "./adapters/index.ts";
export {
  type FamilyRow,
  familyRowsOf,
  imageModels,
  type JudgingModel,
  knownTraits,
  moderationModels,
  rerankModels,
  type SoundModel,
  speechModels,
  transcriptionModels,
  videoModels,
} from "./catalog/index.ts";
export { type Credential, secretsOf } from "./credentials.ts";
export { defineProvider } from "./define-provider.ts";
export { discoverModels, ListingRefused } from "./discover-models.ts";
export { createAddressGuard, isAddressRange, isLocalHost, isProtectedUrl } from "./download/address-guard.ts";
export { DownloadFault } from "./download/download-fault.ts";
export { createGuardedFetch, type DownloadOptions, type GuardedFetch } from "./download/guarded-fetch.ts";
export { reframe } from "./frames/reframe.ts";
export { betaFlags, forwardedHeaders, platformEdits, upstreamHeaders } from "./headers.ts";
export { readServiceAccount } from "./identity/key-file.ts";
export type { ListedModel } from "./model-description.ts";
export { type Platform, platforms } from "./platforms.ts";
export { activePresets, fromPreset } from "./presets/active.ts";
export { presetAddress, presetParts } from "./presets/address.ts";
export type { Preset } from "./presets/preset.ts";
export type { PresetId } from "./presets/preset-id.ts";
export { presets } from "./presets/table.ts";
export { traitsAt } from "./presets/traits-at.ts";
export type {
  ProtocolTraits,
  Provider,
  ProviderBatches,
  ProviderOptions,
  UpstreamProtocol,
} from "./provider.ts";
export { isReadableStatus, type RefusalReading, readRefusal } from "./refusals/read-refusal.ts";
export { type RefusedContent, refusedContent } from "./refusals/refused-content.ts";
export { served, wires } from "./services.ts";
export { surchargesOf } from "./surcharges.ts";
export { createTransport } from "./transport/create-transport.ts";
export { UpstreamFault } from "./transport/fault.ts";
export { createFetchTransport } from "./transport/fetch-transport.ts";
export {
  bytesOf,
  type Payload,
  type Pieces,
  type Transport,
  type TransportOptions,
  type UpstreamRequest,
  type UpstreamResponse,
} from "./transport/transport.ts";
export { createTurn } from "./transport/turn.ts";
export { UpstreamBody } from "./transport/upstream-body.ts";
