import type { By } from "../audit-log.ts";
import type { Engine } from "../engine/engine.ts";
import type { JsonObject } from "../engine/json-columns.ts";
import type { StoreLog } from "../engine/log.ts";
import type { Leases } from "../leases/leases.ts";
import type { Need } from "../leases/read-leases.ts";
import type { Alerts } from "../outbox/alerts.ts";
import type { Cap } from "../pricing/caps.ts";
import type { Contents } from "../requests/contents.ts";
import type { Modality, Outcome, Tags } from "../usage/generation.ts";
import type { Latencies } from "../usage/latencies.ts";
import { createAudit, type Difference } from "./audit.ts";
import { createInDoubtHolds } from "./in-doubt-holds.ts";
import { createRecovery } from "./recover.ts";
import { createRefund } from "./refund.ts";
import { createReserve } from "./reserve.ts";
import { createSettle, type LateNotes } from "./settle.ts";
import { createStatus } from "./status.ts";

/** Amounts are micro-USD, times are ms. */
export interface Reservation {
  /** The members of its record that are known before the call. */
  generation: {
    id: string;
    /** The account whose credit is held. */
    accountId: string;
    /** Absent for a session, which has no caps. */
    keyId?: string | undefined;
    modality: Modality;
    model: string;
    /** The request, as an object or as JSON text. */
    request?: JsonObject | string;
    route?: JsonObject;
    price?: JsonObject;
    tags?: Tags | undefined;
    /** The id of the end user for whom the caller sends the request. */
    user?: string | undefined;
    /** The name of the surface that received the request. */
    surface?: string | undefined;
  };
  /** The credit to hold. */
  amount: number;
  /** When the request arrived: it decides the windows of caps. */
  at: number;
  /**
   * `threshold` admits while something is left, so that one request may exceed the balance or a cap by less than its
   * cost. `strict` admits only what fits. Work whose price has only zeros is always admitted.
   */
  policy: "threshold" | "strict";
  /** The amount is the exact cost, known before the call: the balance must cover it under either policy. */
  exact?: boolean;
  /** The call to the provider follows at once: the record is marked as dispatched without another write. */
  dispatched?: boolean;
  /** The hold belongs to a job and not to this process: it stays when the process ends. */
  durable?: boolean;
}

/** The result of a reservation: the credit is held, or the reason why not. */
export type Reserved =
  | { ok: true }
  | {
      ok: false;
      reason: "balance";
      /** The rest of the balance after holds. */
      available: number;
    }
  | {
      ok: false;
      /** The account or the key is no longer active. */
      reason: "inactive";
    }
  | {
      ok: false;
      reason: "cap";
      /** The cap that refuses. */
      cap: Cap;
      /** Its amount, in micro-USD. */
      limit: number;
      /** The time at which the window ends; absent for `total`. If several caps refuse, the window that ends last. */
      resetsAt?: number;
    };

/** The end of a generation. Absent members stay as they were reserved. */
export interface Ending {
  id: string;
  /** The account, if the caller knows it: ends of one account can then be written together. */
  accountId?: string;
  status: Outcome;
  usage?: JsonObject;
  durationMs?: number;
  price?: JsonObject;
  route?: JsonObject;
}

/** The result of writing an end. */
export type Ended =
  /** It was written. */
  | { outcome: "written" }
  /** It was written and charged, and replaced the end that recovery wrote at `recoveredAt` (ms). */
  | { outcome: "late"; recoveredAt: number }
  /** An earlier call had written it already, and its answer was lost. */
  | { outcome: "repeated" }
  /** It was not written: there is no such generation, or it has another end. */
  | { outcome: "refused" };

/** The state of one cap of a key. Amounts are micro-USD. */
export interface CapStatus {
  /** The most that may be spent in one window. */
  limit: number;
  /** The cost of generations in the current window, without holds. */
  spent: number;
  /** Never negative. */
  remaining: number;
}

/** Holds credit before a call and turns it into the call's cost afterwards, exactly once. */
export interface Money {
  /**
   * Holds credit for a generation and records it, or refuses and changes nothing. Repeating a call with the same id
   * has no further effect. A promise only where it waits for the database: what a lease has is held at once.
   */
  reserve(reservation: Reservation): Reserved | Promise<Reserved>;
  /** Stores the usage so far of a running generation, and its price if that differs from the reserved one. */
  checkpoint(id: string, usage: JsonObject, price?: JsonObject): Promise<void>;
  /**
   * Turns the reservation into its cost, once: balance, windows, ledger and record in one commit. A cost above the hold
   * is charged in full. If the database cannot be written, the end is kept for the next heartbeat; the last end given
   * for the id until then counts. An end that recovery wrote is replaced, unless it was refunded.
   */
  settle(ending: Ending & { cost: number }): Promise<Ended>;
  /** Gives the whole hold back, once: the generation ends and costs nothing. */
  release(ending: Ending): Promise<Ended>;
  /** The number of this store's ends that came after recovery's. */
  lateSettlements(): number;
  /** Gives back all or a part of a charge, once; false if it was refunded before. It does not lower what caps count. */
  refund(id: string, amount: number, at: number, by?: By): Promise<boolean>;
  /** Has idle credit of the account's leases given back. Does nothing if all of it would not cover the need. */
  recall(accountId: string, need?: Need): Promise<void>;
  /** The status of the key's caps in the windows of `at`. */
  capStatus(keyId: string, at: number): Promise<{ [cap in Cap]?: CapStatus }>;
  /**
   * Records that this store's process is alive, writes the ends that could not be written when they came, and gives
   * back the holds of requests that were refused because the answer to their hold was lost. To be called every 5 s: see
   * `recover`.
   */
  heartbeat(at: number): Promise<void>;
  /**
   * Ends the generations of dead processes: each is charged for its checkpoint at its own price; without a checkpoint
   * it costs nothing. A process of this machine is dead once it has ended, any other once it has been silent for 30 s.
   * Any process may call it at any time, any number of times.
   */
  recover(now: number): Promise<{ settled: number; released: number }>;
  /** All differences between stored totals and the records that they sum up. */
  audit(): Promise<Difference[]>;
}

export interface MoneyOptions {
  /** The name of this store on its holds. */
  owner: string;
  /** The time for which a process may be silent before it counts as dead, in ms. */
  silentMs: number;
  log: StoreLog | undefined;
  contents: Contents;
  alerts: Alerts;
  latencies: Latencies;
  /** The folder for traces of calls that the database does not have yet. Absent: there are none. */
  calls: string | undefined;
}

export function createMoney(
  engine: Engine,
  leases: Leases,
  lateNotes: LateNotes,
  { owner, silentMs, log, contents, alerts, latencies, calls }: MoneyOptions,
): Money {
  const { catchUp, ...settle } = createSettle(engine, leases, lateNotes, { alerts, latencies });
  const { heartbeat, recover } = createRecovery(engine, { owner, silentMs, log, alerts, calls });
  const inDoubt = createInDoubtHolds(engine, settle.release);
  return {
    ...createReserve(engine, leases, owner, contents, inDoubt),
    ...settle,
    ...createRefund(engine),
    ...createStatus(engine),
    recall: leases.recall,
    recover,
    async heartbeat(at) {
      await heartbeat(at);
      await catchUp();
      await inDoubt.giveBack(at);
    },
    ...createAudit(engine),
  };
}
