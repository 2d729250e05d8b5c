import { isOnline } from "./online.ts";

/**
 * The rows of before while those of other filters are loaded. Without a connection none come, and rows of other filters
 * would pass for them.
 */
export const keepWhileOnline = <Data>(before: Data | undefined): Data | undefined =>
  isOnline.value ? before : undefined;
