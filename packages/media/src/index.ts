export {
  checkAsset,
  checkEmbed,
  checkMedia,
  checkRecording,
  type MediaIssue,
  type MediaIssueCode,
} from "./limits/check.ts";
export { type AssetType, assetLimits, embedLimits, type MediaLimits } from "./limits/limits.ts";
export { type ProbeOptions, probe } from "./probe.ts";
export { createProber, type Prober } from "./prober/prober.ts";
export type { MediaSource } from "./prober/source.ts";
export type { Probe, ProbeFailureCode } from "./types.ts";
