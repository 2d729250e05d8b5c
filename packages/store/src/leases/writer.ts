import type { Engine } from "../engine/engine.ts";
import { errorFields } from "../engine/error-fields.ts";
import type { StoreLog } from "../engine/log.ts";
import { StoreUnavailable } from "../engine/unavailable.ts";
import type { Alerts } from "../outbox/alerts.ts";
import { type Committed, prepareCommit } from "./commit.ts";
import { type DrawEnd, type Lease, type Load, releaseDraw } from "./lease.ts";
import type { LeaseSlot } from "./slots.ts";
import { now } from "./two-clocks.ts";

/** Writes what leases owe to the database: ends, draws that go on for long, credit that is taken or given back. */
export interface LeaseWriter {
  /**
   * Writes what is due of a lease, one commit after another; with `all`, also draws that have just begun. Never rejects:
   * a caller that waits for an end has that end's own promise.
   */
  drain(lease: Lease, all?: boolean): Promise<void>;
  /** The commits of a lease that are under way. */
  underWay(lease: Lease): Promise<void> | undefined;
}

export interface LeaseWriterOptions {
  /** The leases of this process. One that is done is removed. */
  leases: Map<Lease, LeaseSlot>;
  alerts: Alerts;
  log: StoreLog | undefined;
  /** Called for each end that is on disk, before its promise is resolved. */
  written(end: DrawEnd, committed: Committed["ended"][number]): void;
  /** Called when credit was given back. */
  givenBack(): void;
}

export function createLeaseWriter(engine: Engine, options: LeaseWriterOptions): LeaseWriter {
  const { leases, alerts, log, written, givenBack } = options;
  const commit = prepareCommit(engine, alerts);
  const committing = new Map<Lease, Promise<void>>();

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
        const size = () => load?.ended.length ?? 0;
        const committed = await engine.write(work, { account, soft: !withEnds, size });
        lease.committed(load!, committed);
        if (!lease.isGone) lease.confirmed = begun;
        if (lease.isEnding) givenBack();
        if (load!.batch.mayGrow) lease.renewalMs = now().steady - begun.steady;
        for (const [i, draw] of load!.ended.entries()) {
          const end = draw.end!;
          const one = committed.ended[i]!;
          releaseDraw(draw);
          written(end, one);
          end.waiting?.resolve(one.ended);
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
      log?.warn({ account: lease.row.account, ...errorFields(error) }, "a generation could not be written");
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

  return { drain, underWay: (lease) => committing.get(lease) };
}
