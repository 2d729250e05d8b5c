import { randomBytes } from "node:crypto";
import type { Engine } from "../engine/engine.ts";
import { errorFields } from "../engine/error-fields.ts";
import { idAt } from "../engine/id-time.ts";
import type { StoreLog } from "../engine/log.ts";
import { Lease } from "./lease.ts";
import { prepareOpen } from "./open.ts";
import { planFree } from "./policy.ts";
import type { Recalls } from "./recall.ts";
import type { LeaseSlot } from "./slots.ts";
import { now } from "./two-clocks.ts";

/** The time after an attempt before which no other one is made. */
const AGAIN_MS = 250;
const DAY_MS = 24 * 3_600_000;

/**
 * The id of a lease, after which the ledger names its batches: short, because each generation of a batch stores it, and
 * with a time of the lease's day in front, so that the movement sorts into the month of its generations.
 */
function leaseId(now: number, daily: string): string {
  const midnight = Date.parse(daily);
  const at = Math.min(Math.max(now, midnight), midnight + DAY_MS - 1);
  return idAt(at) + randomBytes(9).toString("base64url");
}

export interface LeaseOpenerOptions {
  owner: string;
  /** See `RECORD_MS`. */
  recordMs: number;
  recalls: Pick<Recalls, "seen" | "isQuiet">;
  log: StoreLog | undefined;
  /** Takes a lease that the database has now. */
  opened(lease: Lease, slot: LeaseSlot): void;
}

/** Opens a lease for a slot, if one pays for itself; never rejects. */
export function createLeaseOpener(
  engine: Engine,
  { owner, recordMs, recalls, log, opened }: LeaseOpenerOptions,
): (slot: LeaseSlot) => Promise<void> {
  const open = prepareOpen(engine, owner);
  return async (slot) => {
    const begun = now();
    slot.quietUntil = Number.POSITIVE_INFINITY;
    const { account, daily } = slot.leaseKey;
    // A lease whose answer was lost may be there: it is opened by its id, and not another beside it.
    const id = slot.inDoubtId ?? leaseId(Date.now(), daily);
    const plan = (headroom: number, recall: number) => {
      // Credit was recalled meanwhile: a new lease would withhold it from the request that needs it.
      recalls.seen(account, recall);
      return recalls.isQuiet(account) ? undefined : planFree({ now: begun.steady, use: slot.use, headroom });
    };
    try {
      const work = () => open(id, slot.leaseKey, begun.clock, plan);
      const found = await engine.write(work, { account, soft: true });
      delete slot.inDoubtId;
      if (found) opened(new Lease(found.row, found.headroom, begun, recordMs), slot);
    } catch (error) {
      slot.inDoubtId = id;
      log?.warn({ account, ...errorFields(error) }, "no lease opened");
    }
    slot.quietUntil = now().steady + AGAIN_MS;
  };
}
