import { type FaultKind, UpstreamFault } from "../transport/fault.ts";
import { ProviderUnavailable } from "./provider-unavailable.ts";

/** The consequence of one attempt's failure. */
export interface Verdict {
  /** `no`: nothing can have been generated, so a retry is safe. `perhaps`: it may have been, and charged. */
  charged: "no" | "perhaps";
  /** Whether another entry could succeed, because the request itself is not to blame. */
  elsewhere: boolean;
  /** Whether it counts as a failure of the entry. */
  failing: boolean;
}

const blameless: Verdict = { charged: "no", elsewhere: true, failing: false };
const broken: Verdict = { charged: "no", elsewhere: true, failing: true };
const ambiguous: Verdict = { charged: "perhaps", elsewhere: true, failing: true };
const rejected: Verdict = { charged: "no", elsewhere: false, failing: false };
/** A defect of ours: the entry is not to blame, and another would meet the same defect. */
const defective: Verdict = { charged: "perhaps", elsewhere: false, failing: false };

/** Refusals before any work: our credential or credit, an unknown model, the rate, no capacity. */
const refusals: Record<number, Verdict> = {
  401: broken,
  402: broken,
  403: blameless,
  404: blameless,
  405: blameless,
  408: ambiguous,
  424: ambiguous,
  429: blameless,
  503: broken,
  529: broken,
};

/**
 * The fault of a credential: it is not accepted, has no rate left for a while, or is suspected: the request may be to
 * blame, unless another credential is accepted for it.
 */
export type CredentialFault = "denied" | "exhausted" | "suspected";

/** Statuses with which a provider refuses a credential, or its remaining credit or rate, before any work. */
const credentialFaults: Record<number, CredentialFault> = {
  401: "denied",
  402: "suspected",
  403: "suspected",
  429: "exhausted",
};

/** The fault that a status blames on the credential of the call. */
export const credentialFaultOf = (status: number): CredentialFault | undefined => credentialFaults[status];

/** Checks whether the `retry-after` of a status is a pause of the entry. */
export const pausesEntry = (status: number | undefined): boolean => status === 429 || status === 503;

/** The consequence of a status from 400 on. */
export const verdictOfStatus = (status: number): Verdict =>
  refusals[status] ?? (status >= 500 ? ambiguous : rejected);

/** Faults before a request can have arrived, and those that we caused. All others leave open whether it did. */
const faults: Partial<Record<FaultKind, Verdict>> = {
  connect: broken,
  redirect: broken,
  status_line: broken,
  token: broken,
  cancelled: rejected,
};

/** The consequence of an attempt without an answer. */
export function verdictOfFault(error: unknown): Verdict {
  if (error instanceof ProviderUnavailable) return blameless;
  return error instanceof UpstreamFault ? (faults[error.kind] ?? ambiguous) : defective;
}

/** The pause that an answer demands, in seconds. */
export function pauseOf(header: string | string[] | undefined, now: number): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  const seconds = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
