import type { Answer } from "../api/client.ts";
import { inWords, PROTOCOLS } from "../request/words.ts";

export type Batch = Answer<"/api/compat/v1/batches/{batchId}">;
export type ListedBatch = Omit<Batch, "files">;

/** What is done with a batch, in words. */
const STATES: Record<Batch["status"], string> = {
  validating: "reading",
  in_progress: "running",
  finalizing: "writing",
  cancelling: "cancelling",
  completed: "completed",
  failed: "failed",
  expired: "expired",
  cancelled: "cancelled",
};

export const stateOf = ({ status }: Pick<Batch, "status">): string => STATES[status];

/** Whether lines are still run or written. */
export const isRunning = ({ endedAt }: Pick<Batch, "endedAt">): boolean => endedAt === undefined;

/** The requests of a batch, as the surface that received it and their path. */
export const endpointOf = ({ surface, endpoint }: Pick<Batch, "surface" | "endpoint">): string =>
  `${inWords(PROTOCOLS, surface)} ${endpoint}`;

/** The requests that are its lines, as far back as they can be. */
export const requestsOf = ({ id, createdAt }: Pick<Batch, "id" | "createdAt">): string =>
  `/console/requests?${new URLSearchParams({ batch: id, from: createdAt })}`;
