import type { ImageResult } from "@manifold-gateway/core/operations";
import type { Progress, Trouble } from "../adapter.ts";

/** The end of work that was answered with pictures: one is enough; none is a failure, for the given reason. */
export function imageProgress(
  result: ImageResult,
  trouble: Trouble = { kind: "unavailable", message: "The provider's response has no image." },
): Progress<ImageResult> {
  return result.images.length > 0 ? { state: "succeeded", result } : { state: "failed", trouble };
}
