import type { HoldRequest } from "../money/reservation-values.ts";
import type { Lease } from "./lease.ts";
import type { LeaseKey } from "./open.ts";
import { noUse, QUIET_MS, type Use } from "./policy.ts";

/** The state of one account, key and day. */
export interface LeaseSlot {
  readonly leaseKey: LeaseKey;
  use: Use;
  lease?: Lease | undefined;
  /** The id of a lease that may have been opened, as only the answer was lost. */
  inDoubtId?: string;
  /** The time before which no lease is opened, by the steady clock. */
  quietUntil: number;
}

export interface LeaseSlots {
  readonly size: number;
  /** The slot of a request's account, key and day. */
  of(values: HoldRequest["values"]): LeaseSlot;
  /** Forgets those that are quiet for long and have no lease. */
  tidy(steady: number, isHeld: (lease: Lease) => boolean): void;
}

export function createSlots(): LeaseSlots {
  const slots = new Map<string, LeaseSlot>();
  return {
    get size() {
      return slots.size;
    },
    of({ account, key, daily, weekly, monthly }) {
      // A key belongs to one account, and its requests are of one day but at midnight: no name for all three is needed.
      const name = key ?? account;
      let slot = slots.get(name);
      const leaseKey = slot?.leaseKey;
      if (!slot || leaseKey?.account !== account || leaseKey.key !== key || leaseKey.daily !== daily) {
        slot = { leaseKey: { account, key, daily, weekly, monthly }, use: noUse, quietUntil: 0 };
        slots.set(name, slot);
      }
      return slot;
    },
    tidy(steady, isHeld) {
      for (const [name, { use, lease }] of slots)
        if (steady - use.at > 2 * QUIET_MS && !(lease && isHeld(lease))) slots.delete(name);
    },
  };
}
