import type { Answer } from "../api/client.ts";
import { inWords, PROTOCOLS } from "../request/words.ts";
import { ofWhom } from "../state/session.ts";

export type Batch = Answer<"/api/compat/v1/batches/{batchId}">;
export type ListedBatch = Omit<Batch, "files">;
/** A batch as its account reads it, or as operators do, who have no links to its files. */
export type AnyBatch = ListedBatch & Partial<Answer<"/api/admin/batches/{batchId}"> & Pick<Batch, "files">>;

/** What is done with a batch, in words. */
export const STATES: Record<Batch["status"], string> = {
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

/** The page of a batch; `account` is known to operators. */
export function pageOf(id: string, account?: string): string {
  const query = new URLSearchParams(ofWhom(account)).toString();
  return `/console/batches/${encodeURIComponent(id)}${query && `?${query}`}`;
}

/** The requests that are its lines, as far back as they can be, or some of them. */
export const requestsOf = (
  { id, createdAt, userId }: Pick<AnyBatch, "id" | "createdAt" | "userId">,
  filters: { status?: string; requestId?: string } = {},
): string =>
  `/console/requests?${new URLSearchParams({ batch: id, from: createdAt, ...filters, ...ofWhom(userId) })}`;
