import type { By } from "../audit-log.ts";
import type { Cap } from "../caps.ts";
import type { Engine } from "../engine/engine.ts";
import type { Modality, Outcome, Tags } from "../generations.ts";
import type { JsonObject } from "../json.ts";
import type { Leases } from "../leases/leases.ts";
import type { Need } from "../leases/look.ts";
import type { StoreLog } from "../log.ts";
import type { Alerts } from "../outbox/alerts.ts";
import type { RecordOptions } from "../record-options.ts";
import { createAudit, type Difference } from "./audit.ts";
import { createRecovery } from "./recover.ts";
import { createRefund } from "./refund.ts";
import { createReserve } from "./reserve.ts";
import { createSettle, type LateNotes } from "./settle.ts";
import { createStatus } from "./status.ts";

/** Amounts are micro-USD, times are ms. */
export interface Reservation {
  generation: {
    id: string;
    accountId: string;
    /** Absent for a session, which has no caps. */
    keyId?: string;
    modality: Modality;
    model: string;
    /** Also as JSON text. */
    request?: JsonObject | string;
    route?: JsonObject;
    price?: JsonObject;
    tags?: Tags;
    /** The id of the end user whom the caller asks for. */
    user?: string;
    /** The name of the surface that it comes by. */
    surface?: string;
  };
  /** The credit to hold. */
  amount: number;
  at: number;
  /**
   * `threshold` admits while something is left, so that one request may pass the balance or a cap by less than its
   * cost. `strict` admits what fits. Work whose price names nothing but zeros is admitted by both, whatever is left.
   */
  policy: "threshold" | "strict";
  /** The amount is the cost, known before the call: the balance must cover it under either policy. */
  exact?: boolean;
  /** The call to the provider follows at once: the record says so without another write. */
  dispatched?: boolean;
  /** The hold belongs to a job and not to this process: it stays when the process ends. */
  durable?: boolean;
}

/** The result of a reservation: the credit is held, or what is in the way. */
export type Reserved =
  | { ok: true }
  | {
      ok: false;
      reason: "balance";
      /** The rest of the balance, holds taken off. */
      available: number;
    }
  | {
      ok: false;
      /** The account, or the key, is not active any more. */
      reason: "inactive";
    }
  | {
      ok: false;
      reason: "cap";
      cap: Cap;
      limit: number;
      /** The time at which the window ends; never for `total`. Of several caps in the way, the one that ends last. */
      resetsAt?: number;
    };

/** The end of a generation. What is absent stays as it was reserved. */
export interface Ending {
  id: string;
  /** The owner, where it is at hand: ends of one account can then be written together. */
  accountId?: string;
  status: Outcome;
  usage?: JsonObject;
  durationMs?: number;
  price?: JsonObject;
  route?: JsonObject;
}

/** The result of an ending that was to be written. */
export type Ended =
  /** It is written now. */
  | { outcome: "written" }
  /** It is written now, in the place of the end that recovery wrote at that time (ms), and what it costs is charged. */
  | { outcome: "late"; recoveredAt: number }
  /** It was written before: an earlier call did it, and its answer was lost. */
  | { outcome: "repeated" }
  /** It is not written: there is no such generation, or another end of it stands. */
  | { outcome: "refused" };

export interface CapStatus {
  limit: number;
  /** The cost of generations that ended in the current window; holds are not in it. */
  spent: number;
  /** Never negative. */
  remaining: number;
}

/** Credit is held before a call and turned into its cost after it, once, whatever happens in between. */
export interface Money {
  /**
   * Holds credit for a generation and records it, or refuses and leaves no trace. Reserving again under one id is
   * the same reservation.
   */
  reserve(reservation: Reservation): Promise<Reserved>;
  /** Notes the usage so far of a generation that runs, and its price where that is not the one it was reserved with. */
  checkpoint(id: string, usage: JsonObject, price?: JsonObject): Promise<void>;
  /**
   * Turns the reservation into its cost, once: balance, windows, ledger and record in one commit. More than was held
   * is charged in full. Where the database does not take it, it is kept for the next heartbeat; the last end that is
   * given for the id until then counts. An end that recovery wrote is replaced, unless that one was refunded.
   */
  settle(ending: Ending & { cost: number }): Promise<Ended>;
  /** Gives the whole hold back, once: the generation ends and costs nothing. */
  release(ending: Ending): Promise<Ended>;
  /** The number of ends of this store that have come late. */
  lateSettlements(): number;
  /** Gives back a part of a charge or all of it, once; false where that was done. It frees no cap. */
  refund(id: string, amount: number, at: number, by?: By): Promise<boolean>;
  /**
   * Has credit that lies idle in the account's leases given back, so that what is left of it can be seen; not where
   * all of it would not cover what is needed.
   */
  recall(accountId: string, need?: Need): Promise<void>;
  /** The key's configured caps in the windows of `at`. */
  capStatus(keyId: string, at: number): Promise<{ [cap in Cap]?: CapStatus }>;
  /**
   * Notes that this store's process lives, and writes the ends that the database did not take when they came. To be
   * called every 5 s: see `recover`.
   */
  heartbeat(at: number): Promise<void>;
  /**
   * Ends what dead processes left behind: each generation is charged by its checkpoint, at its own price, and nothing
   * where there is none. A process of this machine is dead once it has ended, any other once it has been silent for
   * 30 s. It may run at any time, anywhere, any number of times.
   */
  recover(now: number): Promise<{ settled: number; released: number }>;
  /** All differences between the totals and what they are totals of. */
  audit(): Promise<Difference[]>;
}

export interface MoneyOptions {
  /** The name of this store on its holds. */
  owner: string;
  /** The time for which a process may be silent before it is taken for dead. */
  silentMs: number;
  log: StoreLog | undefined;
  records: RecordOptions;
  alerts: Alerts;
  /** The folder in which processes write down the calls that the database has not. Absent: they do not. */
  calls: string | undefined;
}

export function createMoney(
  engine: Engine,
  leases: Leases,
  lateNotes: LateNotes,
  { owner, silentMs, log, records, alerts, calls }: MoneyOptions,
): Money {
  const { catchUp, ...settle } = createSettle(engine, leases, lateNotes, alerts);
  const { heartbeat, recover } = createRecovery(engine, { owner, silentMs, log, alerts, calls });
  return {
    ...createReserve(engine, leases, owner, records),
    ...settle,
    ...createRefund(engine),
    ...createStatus(engine),
    recall: leases.recall,
    recover,
    async heartbeat(at) {
      await heartbeat(at);
      await catchUp();
    },
    ...createAudit(engine),
  };
}
