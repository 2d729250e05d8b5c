import { factOf, paramNames } from "../ir/params.ts";

/**
 * All members beyond the standard of the chat wire that the trait `extensions` can name: parameters, and members of
 * messages and settings.
 */
export const chatExtensions: readonly string[] = /* @__PURE__ */ [
  ...new Set(paramNames.flatMap((name) => factOf(name).extension ?? [])),
  "cache_control",
  "images",
  "reasoning",
];
