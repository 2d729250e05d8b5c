import type { VideoResult } from "@manifold-gateway/core/operations";
import type { Progress, Trouble } from "../adapter.ts";

type End = Progress<VideoResult>;

/** The end of work that the provider gave up. */
export const expired = (): End => ({ state: "failed", trouble: { kind: "expired", message: "expired" } });

/** The end of work that the provider does not know, or no longer knows. */
export const lost = (): End => ({
  state: "failed",
  trouble: { kind: "expired", status: 404, message: "The provider no longer knows this video." },
});

/** The progress after a poll whose answer did not contain the work's state: the work is still running. */
export const unanswered = (trouble: Trouble): End => ({ state: "running", trouble });
