import type { Log } from "@manifold-gateway/gateway";
import type { Store } from "@manifold-gateway/store";
import { errorFields } from "@manifold-gateway/store";
import { every } from "./every.ts";

const HOUR = 3_600_000;
/** Milliseconds for which a request's idempotency key is kept. */
const REPEATS = 24 * HOUR;
/** The time for which owners of ids are kept: providers store the objects for a month. */
const ISSUED_IDS = 60 * 24 * HOUR;
/** The time for which refused credentials stay in the audit log. */
const REFUSALS = 90 * 24 * HOUR;
/** The time for which webhook events are kept: against duplicates, and for endpoints that are unreachable. */
const EVENTS = 40 * 24 * HOUR;
const DELIVERIES = 7 * 24 * HOUR;
/** The interval of checks for contents of requests that have expired. */
const CONTENTS = 300_000;

/** Deletes expired data at intervals. */
export interface Sweeps {
  /** Stops running work at its next step, and resolves when it has ended. */
  stop(): Promise<void>;
}

export function startSweeps(store: Store, log: Log, cacheBytes: number, contentsMs = CONTENTS): Sweeps {
  const stopped = new AbortController();
  const failed = (message: string) => (error: unknown) => log.warn(errorFields(error), message);
  const names = async (): Promise<void> => {
    const now = Date.now();
    await Promise.all([
      store.repeats.expire(now - REPEATS),
      store.issuedIds.expire(now - ISSUED_IDS),
      store.attempts.expire(now),
      store.endedSessions.expire(now),
      store.refusals.expire(now),
      store.usage.expire(now),
      store.auditLog.expire(now - REFUSALS),
      store.outbox.expire({ events: now - EVENTS, deliveries: now - DELIVERIES }),
    ]);
  };
  const contents = async (): Promise<void> => {
    await store.cachedAnswers.expire(Date.now(), cacheBytes);
    const bytes = await store.contents.sweep(Date.now(), stopped.signal);
    if (bytes > 0) log.info({ bytes }, "contents of requests removed");
  };
  const keepPartitions = () => store.partitions.keep(Date.now(), stopped.signal);
  const ends = [
    every(HOUR, names, failed("old requests, ids and attempts not forgotten")),
    every(contentsMs, contents, failed("old contents of requests not removed")),
    every(HOUR, keepPartitions, failed("partitions of coming months not made"), { isFirstNow: true }),
  ];
  return {
    async stop() {
      stopped.abort();
      await Promise.all(ends.map((end) => end()));
    },
  };
}
