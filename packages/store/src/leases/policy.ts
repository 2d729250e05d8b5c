/**
 * How much credit a process sets aside for itself. A lease belongs to one process, account, key and day. Its credit
 * counts as held, so a request admitted from it in memory has already passed the checks of a hold. Amounts are whole
 * micro-USD, times are ms.
 *
 * - A request arrives: `addUse` counts it. It is admitted in memory if its hold fits into the lease's free credit;
 *   otherwise it makes its own hold in the database.
 * - A commit is made: `planFree` computes the free credit that the lease should have after it. Growth must fit the
 *   balance and every cap, under either policy of admission.
 * - A hold is refused: the account's counter of recalls is raised, and the hold is tried again once other processes
 *   have given back their leases.
 */

/** A lease takes at most one part in `SHARE` of the rest, so that many processes together do not take all of it. */
export const SHARE = 64;
/** A lease that admitted nothing for this long is given back. */
export const IDLE_MS = 1_000;
/** The interval at which a process with leases checks for recalls. */
export const CHECK_MS = 250;
/** The time after a recall in which each request makes its own hold, so that the refused one gets the credit. */
export const QUIET_MS = 4 * CHECK_MS;
/** The longest wait of a refused hold for credit of other processes. */
export const RECALL_WAIT_MS = 2_000;
/** The fewest requests for which a lease saves more commits than it costs. */
const FEWEST = 2;
const SECOND = 1_000;
/** The number of renewals, even slow ones, for whose duration a lease should last. */
const RENEWALS = 4;

/** The credit that requests needed in about the last second; older ones count exponentially less. */
export interface Use {
  readonly amount: number;
  readonly requests: number;
  /** The time of the last request. */
  readonly at: number;
}

export const noUse: Use = { amount: 0, requests: 0, at: 0 };

/** Counts a request for `amount`, admitted or not. */
export function addUse(use: Use, amount: number, at: number): Use {
  const { amount: before, requests } = useAt(use, at);
  // A clock that was set back must not make the use look older than it is.
  return { amount: before + amount, requests: requests + 1, at: Math.max(at, use.at) };
}

function useAt({ amount, requests, at }: Use, now: number): Use {
  const kept = Math.exp(-Math.max(0, now - at) / SECOND);
  return { amount: amount * kept, requests: requests * kept, at };
}

/** What a process knows about a lease that it has or might open. */
export interface LeaseFacts {
  now: number;
  use: Use;
  /**
   * The lease's free credit: neither promised to a running request nor spent. Negative if requests cost more than they
   * held; absent without a lease.
   */
  free?: number;
  /** The smallest remainder among the balance and the caps, when last read, after all holds and this lease. */
  headroom: number;
  /** The duration of the lease's last change, up to its commit. */
  renewalMs?: number;
  /** The time at which this process last found the account's counter of recalls raised. */
  recalledAt?: number;
  /** The key was revoked, the account closed, a cap changed, the day is over or the process stops. */
  isEnding?: boolean;
}

/**
 * The free credit that the lease should have after the next commit, which takes or gives back the difference.
 * `undefined` if no lease pays for itself; 0 is a lease for requests that hold nothing.
 */
export function planFree(facts: LeaseFacts): number | undefined {
  const { now, use, free = 0, headroom, recalledAt, isEnding = false } = facts;
  if (isEnding || now - use.at >= IDLE_MS) return undefined;
  if (recalledAt !== undefined && now - recalledAt < QUIET_MS) return undefined;
  const { amount, requests } = useAt(use, now);
  if (facts.free === undefined && requests < FEWEST) return undefined;
  const most = Math.floor(Math.max(0, headroom + free) / SHARE);
  if (most < (FEWEST * amount) / requests) return undefined;
  const wanted = Math.min(most, Math.ceil((amount * lastsMs(facts)) / SECOND));
  // Between half and twice the wanted amount it stays as it is: each change writes to a row that all processes share.
  return free < wanted / 2 || free > wanted * 2 ? wanted : free;
}

/** The time that a lease should last. Slow renewals mean a contended row: then leases are larger and fewer. */
export const lastsMs = ({ renewalMs = 0 }: LeaseFacts): number => Math.max(SECOND, RENEWALS * renewalMs);
