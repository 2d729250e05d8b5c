import type { Log } from "@manifold-gateway/gateway";
import type { Store } from "@manifold-gateway/store";

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
  const names = every(HOUR, "old requests, ids and attempts not forgotten", async () => {
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
  });
  const contents = every(contentsMs, "old contents of requests not removed", async () => {
    await store.cachedAnswers.expire(Date.now(), cacheBytes);
    const bytes = await store.contents.sweep(Date.now(), stopped.signal);
    if (bytes > 0) log.info({ bytes }, "contents of requests removed");
  });

  const keepPartitions = () => store.partitions.keep(Date.now(), stopped.signal);
  const partitions = every(HOUR, "partitions of coming months not made", keepPartitions, {
    isFirstNow: true,
  });

  /** Repeats work at intervals, never twice at one time. Returns a function that stops it. */
  function every(
    ms: number,
    failure: string,
    work: () => Promise<void>,
    { isFirstNow = false } = {},
  ): () => Promise<void> {
    let inHand: Promise<void> | undefined;
    const run = (): void => {
      inHand ??= work()
        .catch((error: unknown) => log.warn({ error: String(error) }, failure))
        .finally(() => {
          inHand = undefined;
        });
    };
    const timer = setInterval(run, ms);
    if (isFirstNow) run();
    return async () => {
      clearInterval(timer);
      await inHand;
    };
  }

  return {
    async stop() {
      stopped.abort();
      await Promise.all([names(), contents(), partitions()]);
    },
  };
}
