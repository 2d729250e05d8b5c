export { systemClock } from "./clock.ts";
export type * from "./contract.ts";
export type { Registry } from "./deps.ts";
export * from "./jobs.ts";
export { defaultJobLimits } from "./limits.ts";
