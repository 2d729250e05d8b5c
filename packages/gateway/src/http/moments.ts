/** Durations in milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A moment in milliseconds since the epoch as ISO text. */
export const momentOf = (ms: number): string => new Date(ms).toISOString();

/** A moment in milliseconds since the epoch in whole seconds. */
export const toSeconds = (ms: number): number => Math.floor(ms / 1_000);
