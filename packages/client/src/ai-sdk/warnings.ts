import type { SharedV4Warning } from "@ai-sdk/provider";
import type { Loss } from "@manifold-gateway/core";

/** A loss as a warning of the AI SDK: a feature by the path of the caller's own option, `tools/0/strict`. */
export const toWarning = ({ path, why, detail }: Loss): SharedV4Warning => ({
  type: why === "approximated" ? "compatibility" : "unsupported",
  feature: path.slice(1),
  ...(detail !== undefined && { details: detail }),
});
