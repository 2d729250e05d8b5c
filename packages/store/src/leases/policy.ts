/**
 * The amount of credit that a process sets aside for itself. A lease belongs to one process, account, key and day;
 * its credit counts as held, so that whatever it admits in memory has passed every check of a hold. Amounts are whole
 * micro-USD, times are ms.
 *
 * - A request asks: `addUse`, then it is admitted in memory if its hold is at most the lease's free credit; otherwise
 *   it waits for the commit that the next line plans, or holds for itself where that plans no lease.
 * - A commit is made: `planFree` says how much free credit the lease is to have after it. Growth is conditional in its
 *   statement: all of it must fit the balance and every cap, under either admission.
 * - A hold is refused: the account's counter of recalls is raised, and the hold tried again once the leases of others
 *   have answered.
 */

/** A lease is at most this part of what is left, so that many processes together never take all of it. */
export const SHARE = 64;
/** A lease that admitted nothing for this long is given back. */
export const IDLE_MS = 1_000;
/** The interval between looks for recalls by a process with a lease, if no commit of its own does it. */
export const CHECK_MS = 250;
/** After a recall each request holds for itself, so that the one in need comes to its credit. */
export const QUIET_MS = 4 * CHECK_MS;
/** A refusal waits for credit of others no longer than this. */
export const RECALL_WAIT_MS = 2_000;
/** A lease that admits fewer requests costs more commits than it saves. */
const FEWEST = 2;
const SECOND = 1_000;
/** The number of renewals that have to fit into the time that a lease lasts, where they are slow. */
const RENEWALS = 4;

/** The credit that requests needed in about the last second; older ones count exponentially less. */
export interface Use {
  readonly amount: number;
  readonly requests: number;
  /** The time of the last request. */
  readonly at: number;
}

export const noUse: Use = { amount: 0, requests: 0, at: 0 };

/** A request asks for `amount`, whether it is admitted or not. */
export function addUse(use: Use, amount: number, at: number): Use {
  const { amount: before, requests } = useAt(use, at);
  // A clock that was set back must not make the use look older than it is.
  return { amount: before + amount, requests: requests + 1, at: Math.max(at, use.at) };
}

function useAt({ amount, requests, at }: Use, now: number): Use {
  const kept = Math.exp(-Math.max(0, now - at) / SECOND);
  return { amount: amount * kept, requests: requests * kept, at };
}

/** A process's knowledge of a lease, or of one that it might take. */
export interface Known {
  now: number;
  use: Use;
  /**
   * The rest of the lease: neither promised to a running request nor spent. Negative where requests cost more than
   * they held; absent without a lease.
   */
  free?: number;
  /** The least that is left of the balance and of each cap, when last read: everything held is off, this lease too. */
  headroom: number;
  /** The time that the last change of the lease took, from the wish for it to its commit. */
  renewalMs?: number;
  /** The time at which this process last found the account's counter of recalls raised. */
  recalledAt?: number;
  /** The key was revoked, the account closed, a cap changed, the day is over or the process stops. */
  isEnding?: boolean;
}

/**
 * The free credit that the lease is to have after the next commit: more than now is to be taken, less to be given
 * back. `undefined` where no lease is worth having; 0 is a lease for requests that hold nothing.
 */
export function planFree(known: Known): number | undefined {
  const { now, use, free = 0, headroom, recalledAt, isEnding = false } = known;
  if (isEnding || now - use.at >= IDLE_MS) return undefined;
  if (recalledAt !== undefined && now - recalledAt < QUIET_MS) return undefined;
  const { amount, requests } = useAt(use, now);
  if (known.free === undefined && requests < FEWEST) return undefined;
  const most = Math.floor(Math.max(0, headroom + free) / SHARE);
  if (most < (FEWEST * amount) / requests) return undefined;
  const wanted = Math.min(most, Math.ceil((amount * lastsMs(known)) / SECOND));
  // Between half and twice of what is wanted it stays as it is: each change is a write to a row that all share.
  return free < wanted / 2 || free > wanted * 2 ? wanted : free;
}

/** For how long a lease is to last. Where an account's row is in great demand its leases are larger, and fewer. */
export const lastsMs = ({ renewalMs = 0 }: Known): number => Math.max(SECOND, RENEWALS * renewalMs);
