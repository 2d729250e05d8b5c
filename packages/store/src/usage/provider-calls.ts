/** A call of a provider, as the route of a record has it. */
export interface Attempt {
  entry: string;
  provider: string;
  status?: number;
  fault?: string;
}

/** A call that a provider did not answer, or refused. */
export interface FailedCall {
  /** Begins with the time. */
  id: string;
  /** The provider's id. */
  provider: string;
  /** The neutral id of the model entry. */
  entry: string;
  /** The model, by the caller's name. */
  model: string;
  /** The account of the generation. */
  accountId: string;
  /** The generation that it was for. */
  generation: string;
  /** When that began, in ms. */
  createdAt: number;
  /** The position of the call in its route. */
  attempt: number;
  /** When the generation ended, in ms. */
  at: number;
  /** The status of the answer. */
  status?: number;
  /** Why there was no answer, or only a part of one. */
  fault?: string;
}

/** How many calls an entry got beside those that the sums count as requests, and how many its provider failed. */
export interface FailureCount {
  /** The beginning of the hour. */
  hour: number;
  /** The neutral id of the model entry. */
  entry: string;
  /** The calls after which another followed for the same request. */
  retried: number;
  /** The calls, these and the last ones of their requests, that failed through the provider and not the request. */
  failed: number;
}

/** The entry that served a generation, as its record names it. */
export interface ServedEntry {
  /** The neutral id. */
  entry: string;
  /** The provider's id. */
  provider: string;
  /** The provider's own name for the model. */
  name: string;
  /** The model of the first request that it served. */
  model: string;
}

/** Statuses below 500 that are not about the request: a refused credential, no credit, a rate. */
const PROVIDER_STATUSES = new Set([401, 402, 403, 408, 429]);
/** Faults that the provider did not cause: ours, those of requests that were not sent, and calls that were ended here. */
const OTHER_FAULTS = new Set(["internal", "refused", "moderated", "cancelled"]);

/** Checks whether a call failed through its provider, and not through the request. */
export const isFailure = ({ status, fault }: Pick<Attempt, "status" | "fault">): boolean =>
  fault !== undefined
    ? !OTHER_FAULTS.has(fault)
    : status !== undefined && (status >= 500 || PROVIDER_STATUSES.has(status));

/** Checks whether a call was not answered as requested, for any reason. */
export const isRefused = ({ status = 0, fault }: Pick<Attempt, "status" | "fault">): boolean =>
  fault !== undefined || status >= 400;
