import { randomBytes } from "node:crypto";
import type { Engine } from "../engine/engine.ts";
import { idAt } from "../engine/id-time.ts";
import type { StoreLog } from "../engine/log.ts";
import { unrefTimeout } from "../engine/timer.ts";
import { StoreUnavailable } from "../engine/unavailable.ts";
import type { End } from "../money/end.ts";
import type { Ended } from "../money/money.ts";
import type { HoldRequest } from "../money/reservation-values.ts";
import type { Alerts } from "../outbox/alerts.ts";
import type { Latencies } from "../usage/latencies.ts";
import { createCallTrace, noTrace } from "./call-trace.ts";
import { prepareCommit } from "./commit.ts";
import { type Draw, isSame, Lease, type Load, RECORD_MS, releaseDraw } from "./lease.ts";
import { type LeaseKey, prepareOpen } from "./open.ts";
import { addUse, CHECK_MS, noUse, planFree, QUIET_MS, type Use } from "./policy.ts";
import { createLeaseReader, type Need } from "./read-leases.ts";
import { createRecalls } from "./recall.ts";
import { now } from "./two-clocks.ts";

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
  /** A counter that rises when credit was given back: a request refused before may be admitted now. */
  givenBack(): number;
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

/** The state of one account, key and day. */
interface LeaseSlot {
  leaseKey: LeaseKey;
  use: Use;
  lease?: Lease | undefined;
  /** The id of a lease that may have been opened, as only the answer was lost. */
  inDoubtId?: string;
  /** The time before which no lease is opened, by the steady clock. */
  quietUntil: number;
}

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

export function createLeases(engine: Engine, options: LeaseOptions): Leases {
  const { owner, calls, alerts, log, busy } = options;
  const commit = prepareCommit(engine, alerts);
  const open = prepareOpen(engine, owner);
  const reader = createLeaseReader(engine, owner);
  const slots = new Map<string, LeaseSlot>();
  const draws = new Map<string, Draw>();
  const leases = new Map<Lease, LeaseSlot>();
  const committing = new Map<Lease, Promise<void>>();
  const unrecorded = () => [...draws.values()].filter((draw) => !draw.isRecorded).map(({ values }) => values);
  const recordMs = calls === undefined ? RECORD_MS.untraced : RECORD_MS.traced;
  const trace = calls === undefined ? noTrace : createCallTrace(calls, owner, { log, open: unrecorded });
  let recording: NodeJS.Timeout | undefined;
  let checking: NodeJS.Timeout | undefined;
  let isClosed = false;
  let givenBack = 0;

  const slotOf = ({ account, key, daily, weekly, monthly }: HoldRequest["values"]): LeaseSlot => {
    // A key belongs to one account, and its requests are of one day but at midnight: no name for all three is needed.
    const name = key ?? account;
    let slot = slots.get(name);
    const leaseKey = slot?.leaseKey;
    if (!slot || leaseKey?.account !== account || leaseKey.key !== key || leaseKey.daily !== daily) {
      slot = { leaseKey: { account, key, daily, weekly, monthly }, use: noUse, quietUntil: 0 };
      slots.set(name, slot);
    }
    if (!isClosed) checking ??= unrefTimeout(check, CHECK_MS);
    return slot;
  };

  const openLease = async (slot: LeaseSlot): Promise<void> => {
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
      const opened = await engine.write(work, { account, soft: true });
      delete slot.inDoubtId;
      if (opened) {
        const lease = new Lease(opened.row, opened.headroom, begun, recordMs);
        leases.set(lease, slot);
        if (recalls.isQuiet(account) || isClosed) lease.isEnding = true;
        slot.lease = lease;
        if (lease.isEnding) void drain(lease);
      }
    } catch (error) {
      slot.inDoubtId = id;
      log?.warn({ account, error: String(error) }, "no lease opened");
    }
    slot.quietUntil = now().steady + AGAIN_MS;
  };

  /** Writes what is due of a lease, one commit after another. */
  const drain = (lease: Lease, all = false): Promise<void> => {
    const running = committing.get(lease);
    if (running) return all ? running.then(() => drain(lease, true)) : running;
    const done = write(lease, all).then((isUp) => {
      committing.delete(lease);
      if (lease.isDone) leases.delete(lease);
      else if (isUp && lease.isDue(now())) return drain(lease);
      return undefined;
    });
    committing.set(lease, done);
    return done;
  };

  /** False if the database cannot be written to now. */
  const write = async (lease: Lease, all: boolean): Promise<boolean> => {
    const slot = leases.get(lease);
    if (!slot) return true;
    while (lease.isDue(now(), all)) {
      const begun = now();
      const withEnds = lease.hasEnds;
      let load: Load | undefined;
      try {
        const { account } = lease.row;
        // Work may be restarted: its load is decided once, at the first start.
        const work = () => {
          load ??= lease.load(slot.use, begun, { all, withEnds });
          return commit(load.batch);
        };
        const committed = await engine.write(work, {
          account,
          soft: !withEnds,
          size: () => load?.ended.length ?? 0,
        });
        lease.committed(load!, committed);
        if (!lease.isGone) lease.confirmed = begun;
        if (lease.isEnding) givenBack += 1;
        if (load!.batch.mayGrow) lease.renewalMs = now().steady - begun.steady;
        for (const [i, draw] of load!.ended.entries()) {
          const { ended, entry } = committed.ended[i]!;
          const { item, waiting } = draw.end!;
          draws.delete(item.id);
          releaseDraw(draw);
          if (entry) options.latencies.note({ id: item.id, entry, route: item.route });
          if (ended.outcome === "late") options.late(item, ended);
          waiting?.resolve(ended);
        }
      } catch (error) {
        if (!refuse(lease, load, error)) return false;
      }
    }
    return true;
  };

  /** Handles a commit that failed. True if the lease can be written at once in another way. */
  const refuse = (lease: Lease, load: Load | undefined, error: unknown): boolean => {
    const count = load ? load.ended.length + load.begun.length : 0;
    if (load && count === 1 && !(error instanceof StoreUnavailable)) {
      const waiting = load.ended.map(({ end }) => end?.waiting);
      lease.dropped(load);
      for (const one of waiting) one?.reject(error);
      log?.warn({ account: lease.row.account, error: String(error) }, "a generation could not be written");
      return true;
    }
    if (load) lease.failed(load);
    if (count > 1 && !(error instanceof StoreUnavailable)) {
      lease.isCareful = true;
      return true;
    }
    for (const end of lease.waiting()) {
      end.waiting?.reject(error);
      end.waiting = undefined;
    }
    return false;
  };

  const record = (): void => {
    recording = undefined;
    let isLeft = false;
    for (const lease of leases.keys()) {
      if (!lease.hasUnrecorded) continue;
      void drain(lease);
      isLeft = true;
    }
    if (isLeft) recording = unrefTimeout(record, recordMs);
  };

  /** Reads what has changed, gives back idle credit, and writes what is due. */
  const check = async (): Promise<void> => {
    const begun = now();
    try {
      if (leases.size > 0) {
        const known = [...leases.keys()];
        const seen = new Map((await reader.leases()).map((one) => [one.id, one]));
        for (const lease of known) {
          const found = seen.get(lease.row.id);
          if (!found || found.isOver || found.isRecalled) lease.isEnding = true;
          if (!found) continue;
          recalls.seen(found.account, found.recall);
          lease.confirmed = begun;
        }
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable))
        log?.warn({ error: String(error) }, "leases were not looked at");
    }
    for (const [lease, slot] of leases) {
      lease.review(slot.use, begun);
      if (lease.isDue(begun)) void drain(lease);
    }
    for (const [name, slot] of slots)
      if (begun.steady - slot.use.at > 2 * QUIET_MS && (!slot.lease || !leases.has(slot.lease)))
        slots.delete(name);
    recalls.tidy();
    checking = slots.size + leases.size > 0 && !isClosed ? unrefTimeout(check, CHECK_MS) : undefined;
  };

  /** Ends leases of this process. */
  const giveBack = async (matches: (lease: Lease) => boolean): Promise<void> => {
    const matching = [...leases.keys()].filter((lease) => !lease.isEnding && matches(lease));
    for (const lease of matching) lease.isEnding = true;
    await Promise.all(matching.map((lease) => drain(lease)));
  };

  const recalls = createRecalls(reader, {
    giveBack: (account) => giveBack((lease) => lease.row.account === account),
    done: () => {
      givenBack += 1;
    },
  });

  return {
    draw({ values, balance, cap }) {
      const slot = slotOf(values);
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
      void drain(lease);
      return waiting.promise;
    },
    ending(id) {
      const draw = draws.get(id);
      return (
        draw?.end?.waiting?.promise.catch(() => {}) ??
        (draw?.isLoaded ? committing.get(draw.lease) : undefined)
      );
    },
    async recorded(id) {
      const draw = draws.get(id);
      if (draw && !draw.isRecorded) await drain(draw.lease, true);
    },
    recall: recalls.recall,
    givenBack: () => givenBack,
    changed(subject) {
      void giveBack(({ row }) =>
        "key" in subject ? row.key === subject.key : row.account === subject.account,
      );
    },
    async catchUp() {
      await Promise.all([...leases.keys()].map((lease) => drain(lease)));
    },
    async close() {
      isClosed = true;
      clearTimeout(checking);
      clearTimeout(recording);
      for (const lease of leases.keys()) lease.isEnding = true;
      await Promise.all([...leases.keys()].map((lease) => drain(lease, true)));
      if (draws.size === 0) trace.close();
    },
  };
}
