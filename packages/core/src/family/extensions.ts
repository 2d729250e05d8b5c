import { factOf, paramNames } from "../ir/params.ts";

/**
 * All members beyond the standard of the chat wire that the trait `extensions` can name: parameters, and members of
 * messages and settings.
 */
export const chatExtensions: readonly string[] = /* @__PURE__ */ namesOfExtensions();

function namesOfExtensions(): string[] {
  const params = paramNames.flatMap((name) => factOf(name).extension ?? []);
  return [...new Set(params), "cache_control", "images", "reasoning"];
}
