import type { VideoResult } from "@manifold-gateway/core/operations";
import type { Progress, Trouble } from "../adapter.ts";

type End = Progress<VideoResult>;

/** The provider gave the work up. */
export const expired = (): End => ({ state: "failed", trouble: { kind: "expired", message: "expired" } });

/** The provider does not know the work, or not any more. */
export const lost = (): End => ({
  state: "failed",
  trouble: { kind: "expired", status: 404, message: "The provider no longer knows this video." },
});

/** A poll was answered with something else than where the work stands: it stands where it did. */
export const unanswered = (trouble: Trouble): End => ({ state: "running", trouble });
