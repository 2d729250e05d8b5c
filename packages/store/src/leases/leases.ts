import type { Engine } from "../engine/engine.ts";
import { errorFields } from "../engine/error-fields.ts";
import type { StoreLog } from "../engine/log.ts";
import { unrefTimeout } from "../engine/timer.ts";
import { StoreUnavailable } from "../engine/unavailable.ts";
import type { End } from "../money/end.ts";
import type { Ended } from "../money/money.ts";
import type { HoldRequest } from "../money/reservation-values.ts";
import type { Alerts } from "../outbox/alerts.ts";
import type { Latencies } from "../usage/latencies.ts";
import { createCallTrace, noTrace } from "./call-trace.ts";
import { type Draw, isSame, type Lease, RECORD_MS } from "./lease.ts";
import { createLeaseOpener } from "./opener.ts";
import { addUse, CHECK_MS } from "./policy.ts";
import { createLeaseReader, type Need } from "./read-leases.ts";
import { createRecalls } from "./recall.ts";
import { createSlots, type LeaseSlot } from "./slots.ts";
import { now } from "./two-clocks.ts";
import { createLeaseWriter } from "./writer.ts";

/** The credit that this process holds in advance for the requests that it admits. */
export interface Leases {
  /** Admits a generation without asking the database; false if the generation needs its own hold. */
  draw(request: HoldRequest): boolean;
  /** Ends a generation admitted by `draw`; resolves when the end is on disk. Undefined for any other. */
  end(end: End): Promise<Ended> | undefined;
  /** Settles when an end that is being written is written or has failed. Undefined if there is none. */
  ending(id: string): Promise<unknown> | undefined;
  /** Resolves when the database has the generation; at once if `draw` did not admit it. */
  recorded(id: string): Promise<void>;
  /**
   * Has idle credit given back, here and by other processes, if that could cover the need. After a first refusal it
   * first checks whether enough has come back by itself.
   */
  recall(account: string, need?: Need, isFirst?: boolean): Promise<void>;
  /** How often credit was given back: a request refused before may be admitted now. */
  readonly givenBack: { readonly times: number };
  /** Ends the leases of an account or a key that was changed. */
  changed(subject: { account: string } | { key: string }): void;
  /** Writes what an earlier commit failed to write. */
  catchUp(): Promise<void>;
  /** Gives back all credit that no running generation needs. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  owner: string;
  /** The folder in which calls are written down before they go out. Absent: none are written down. */
  calls: string | undefined;
  alerts: Alerts;
  latencies: Pick<Latencies, "note">;
  log: StoreLog | undefined;
  /** The number of requests in about a second from which a lease pays for itself; `Infinity`: never. */
  busy: number;
  late(end: End, ended: Extract<Ended, { outcome: "late" }>): void;
}

export function createLeases(engine: Engine, options: LeaseOptions): Leases {
  const { owner, calls, alerts, latencies, log, busy, late } = options;
  const reader = createLeaseReader(engine, owner);
  const slots = createSlots();
  const leases = new Map<Lease, LeaseSlot>();
  const draws = new Map<string, Draw>();
  const unrecorded = () => [...draws.values()].filter((draw) => !draw.isRecorded).map(({ values }) => values);
  const recordMs = calls === undefined ? RECORD_MS.untraced : RECORD_MS.traced;
  const trace = calls === undefined ? noTrace : createCallTrace(calls, owner, { log, open: unrecorded });
  let recording: NodeJS.Timeout | undefined;
  let checking: NodeJS.Timeout | undefined;
  let isClosed = false;
  const givenBack = { times: 0 };

  const writer = createLeaseWriter(engine, {
    leases,
    alerts,
    log,
    written({ item }, { ended, entry }) {
      draws.delete(item.id);
      if (entry) latencies.note({ id: item.id, entry, route: item.route });
      if (ended.outcome === "late") late(item, ended);
    },
    givenBack: () => {
      givenBack.times += 1;
    },
  });

  /** Ends leases of this process. */
  const giveBack = async (matches: (lease: Lease) => boolean): Promise<void> => {
    const matching = [...leases.keys()].filter((lease) => !lease.isEnding && matches(lease));
    for (const lease of matching) lease.isEnding = true;
    await Promise.all(matching.map((lease) => writer.drain(lease)));
  };

  const recalls = createRecalls(reader, {
    giveBack: (account) => giveBack((lease) => lease.row.account === account),
    done: () => {
      givenBack.times += 1;
    },
  });

  const openLease = createLeaseOpener(engine, {
    owner,
    recordMs,
    recalls,
    log,
    opened(lease, slot) {
      leases.set(lease, slot);
      slot.lease = lease;
      if (!recalls.isQuiet(lease.row.account) && !isClosed) return;
      lease.isEnding = true;
      void writer.drain(lease);
    },
  });

  const record = (): void => {
    recording = undefined;
    let isLeft = false;
    for (const lease of leases.keys()) {
      if (!lease.hasUnrecorded) continue;
      void writer.drain(lease);
      isLeft = true;
    }
    if (isLeft) recording = unrefTimeout(record, recordMs);
  };

  /** Learns which leases are over or recalled, here or by another process. */
  const look = async (): Promise<void> => {
    if (leases.size === 0) return;
    const begun = now();
    const known = [...leases.keys()];
    const seen = new Map((await reader.leases()).map((one) => [one.id, one]));
    for (const lease of known) {
      const found = seen.get(lease.row.id);
      if (!found || found.isOver || found.isRecalled) lease.isEnding = true;
      if (!found) continue;
      recalls.seen(found.account, found.recall);
      lease.confirmed = begun;
    }
  };

  /** Reads what has changed, gives back idle credit, and writes what is due. */
  const check = async (): Promise<void> => {
    const begun = now();
    try {
      await look();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) log?.warn(errorFields(error), "leases were not looked at");
    }
    for (const [lease, slot] of leases) {
      lease.review(slot.use, begun);
      if (lease.isDue(begun)) void writer.drain(lease);
    }
    slots.tidy(begun.steady, (lease) => leases.has(lease));
    recalls.tidy();
    checking = slots.size + leases.size > 0 && !isClosed ? unrefTimeout(check, CHECK_MS) : undefined;
  };

  return {
    draw({ values, balance, cap }) {
      const slot = slots.of(values);
      if (!isClosed) checking ??= unrefTimeout(check, CHECK_MS);
      const at = now();
      slot.use = addUse(slot.use, values.amount, at.steady);
      const same = draws.get(values.id);
      if (same) return isSame(same.values, values);
      const { lease } = slot;
      if (lease?.admits(values, Math.max(balance, cap), at) && trace.add(values)) {
        draws.set(values.id, lease.draw(values, at));
        recording ??= unrefTimeout(record, recordMs);
        return true;
      }
      const mayOpen = (!lease || lease.isEnding) && at.steady >= slot.quietUntil && !isClosed;
      if (mayOpen && slot.use.requests >= busy && !recalls.isQuiet(values.account)) void openLease(slot);
      return false;
    },
    end(item) {
      const draw = draws.get(item.id);
      if (!draw) return undefined;
      const { lease } = draw;
      const waiting = Promise.withResolvers<Ended>();
      lease.end(draw, { item, waiting });
      void writer.drain(lease);
      return waiting.promise;
    },
    ending(id) {
      const draw = draws.get(id);
      return (
        draw?.end?.waiting?.promise.catch(() => {}) ??
        (draw?.isLoaded ? writer.underWay(draw.lease) : undefined)
      );
    },
    async recorded(id) {
      const draw = draws.get(id);
      if (draw && !draw.isRecorded) await writer.drain(draw.lease, true);
    },
    recall: recalls.recall,
    givenBack,
    changed(subject) {
      void giveBack(({ row }) =>
        "key" in subject ? row.key === subject.key : row.account === subject.account,
      );
    },
    async catchUp() {
      await Promise.all([...leases.keys()].map((lease) => writer.drain(lease)));
    },
    async close() {
      isClosed = true;
      clearTimeout(checking);
      clearTimeout(recording);
      for (const lease of leases.keys()) lease.isEnding = true;
      await Promise.all([...leases.keys()].map((lease) => writer.drain(lease, true)));
      if (draws.size === 0) trace.close();
    },
  };
}
