import {
  type LeaseFacts,
  lastsMs,
  planFree,
  RECALL_WAIT_MS,
} from "../../packages/store/src/leases/policy.ts";

/**
 * Checks whether the next commit has to change the account, its windows and the ledger: the lease changes, or what
 * was spent of it is to be taken off the balance.
 */
export function isAccountDue(known: LeaseFacts, lease: { spent: number; foldedAt: number }): boolean {
  if (planFree(known) !== known.free) return true;
  return lease.spent > 0 && known.now - lease.foldedAt >= lastsMs(known);
}

/** A hold that the balance or a cap refused. */
export interface RefusedHold {
  /** The amount that would have to be left. */
  need: number;
  /** The rest of the limit that is in the way. */
  headroom: number;
  /** The amount in leases that have not answered the recall yet, promised to running requests or not. */
  leased: number;
  waitedMs: number;
}

/** `recall`: raise the account's counter of recalls if this is the first time, and try again after the next check. */
export function afterRefusal({ need, headroom, leased, waitedMs }: RefusedHold): "refuse" | "recall" {
  return headroom + leased >= need && waitedMs < RECALL_WAIT_MS ? "recall" : "refuse";
}
