/** A call of a provider, as the route of a record has it. */
export interface Attempt {
  entry: string;
  provider: string;
  status?: number;
  fault?: string;
}

/** A call to which a provider sent no answer, or a refusal. */
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

/**
 * The number of calls to an entry that the sums do not count as requests, and the number of failures of its provider.
 */
export interface FailureCount {
  /** The beginning of the hour. */
  hour: number;
  /** The neutral id of the model entry. */
  entry: string;
  /** The calls after which another followed for the same request. */
  retried: number;
  /** The calls that failed because of the provider and not because of the request, including last calls of requests. */
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

/** Statuses below 500 that the request did not cause: a refused credential, no credit, a timeout, a rate limit. */
const PROVIDER_STATUSES = new Set([401, 402, 403, 408, 429]);
/**
 * Faults that the provider did not cause: defects of ours, requests that were not sent, and calls that this service
 * ended.
 */
const OTHER_FAULTS = new Set(["internal", "refused", "moderated", "cancelled"]);

/** Checks whether a call failed because of its provider, and not because of the request. */
export const isFailure = ({ status, fault }: Pick<Attempt, "status" | "fault">): boolean =>
  fault !== undefined
    ? !OTHER_FAULTS.has(fault)
    : status !== undefined && (status >= 500 || PROVIDER_STATUSES.has(status));

/** Checks whether a call was not answered as requested, for any reason. */
export const isRefused = ({ status = 0, fault }: Pick<Attempt, "status" | "fault">): boolean =>
  fault !== undefined || status >= 400;
