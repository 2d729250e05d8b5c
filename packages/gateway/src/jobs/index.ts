export { type Clock, systemClock } from "./clock.ts";
export * from "./contract.ts";
export * from "./jobs.ts";
export { defaultJobLimits, type JobLimits } from "./limits.ts";
export type { JobView, OutputLink } from "./present.ts";
export { type AssetIssue, type MediaPart, type ResolvedAssets, resolveAssets } from "./resolve.ts";
export type { Registry } from "./tools.ts";
