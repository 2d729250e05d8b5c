export { checkAsset, checkEmbed, checkMedia, type MediaIssue, type MediaIssueCode } from "./limits/check.ts";
export { type AssetType, assetLimits, type Bounds, embedLimits, type MediaLimits } from "./limits/limits.ts";
export { type ProbeOptions, probe } from "./probe.ts";
export type { PoolOptions } from "./prober/pool.ts";
export { createProber, type Prober } from "./prober/prober.ts";
export { type MediaSource, probeSource } from "./prober/source.ts";
export { type FileReader, openFile, type Reader, readerOf } from "./reader.ts";
export type {
  AudioProbe,
  DocumentProbe,
  ImageProbe,
  Probe,
  ProbeFailure,
  ProbeFailureCode,
  VideoProbe,
} from "./types.ts";
