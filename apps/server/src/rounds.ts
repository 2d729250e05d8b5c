import type { Log } from "@manifold-gateway/gateway";
import type { Store } from "@manifold-gateway/store";

export interface RoundsOptions {
  store: Store;
  log: Log;
  /** Lists the models of activated providers again, if their lists are old. */
  discover(): Promise<void>;
  /** Adopts changes of the catalog that other processes made. */
  follow(): Promise<void>;
}

/**
 * Looks at intervals for holds of dead processes, pending settlements, a newer version of the database, and changes of
 * the catalog. Returns a function that ends it.
 */
export function startRounds({ store, log, discover, follow }: RoundsOptions, ms: number): () => void {
  let isOutdated = false;
  const look = async (): Promise<void> => {
    await settleAndRecover(store);
    if (!(await store.isOutdated()) || isOutdated) return;
    isOutdated = true;
    log.warn({}, "a newer version has migrated the database; replace this process");
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ error: String(error) }, "recovery failed"));
    void discover();
  }, ms);
  const following = startFollowing(follow, log, Math.min(ms, FOLLOW_MS));
  return () => {
    clearInterval(timer);
    clearInterval(following);
  };
}

/** The interval of looks for changes of the catalog: they are served within a second. */
const FOLLOW_MS = 500;

/** Adopts changes of the catalog at intervals, one look after the other. */
function startFollowing(follow: () => Promise<void>, log: Log, ms: number): NodeJS.Timeout {
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      await follow();
    } catch (error) {
      log.warn({ error: String(error) }, "catalog refresh failed");
    } finally {
      isLooking = false;
    }
  };
  return setInterval(() => void look(), ms);
}

/** Writes pending settlements, and settles the work of dead processes. */
async function settleAndRecover(store: Store): Promise<void> {
  const now = Date.now();
  await store.money.heartbeat(now);
  await store.money.recover(now);
}
