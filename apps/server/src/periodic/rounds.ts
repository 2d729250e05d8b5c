import type { Log } from "@manifold-gateway/gateway";
import type { Store } from "@manifold-gateway/store";
import { errorFields } from "@manifold-gateway/store";
import { every } from "./every.ts";

export interface RoundsOptions {
  store: Store;
  log: Log;
  /** Lists the models of activated providers again, if their lists are old. Never rejects. */
  discover(): Promise<void>;
  /** Adopts changes of the catalog that other processes made. */
  follow(): Promise<void>;
}

/** The interval of checks for changes of the catalog, in ms, so that they are served within a second. */
const FOLLOW_MS = 500;

/**
 * Checks at intervals for holds of dead processes, pending settlements, a newer version of the database, and changes of
 * the catalog. Returns a function that stops it and resolves when no check is running, so that the store can be closed.
 */
export function startRounds(
  { store, log, discover, follow }: RoundsOptions,
  ms: number,
): () => Promise<void> {
  let isOutdated = false;
  const look = async (): Promise<void> => {
    await settleAndRecover(store);
    if (!(await store.isOutdated()) || isOutdated) return;
    isOutdated = true;
    log.warn({}, "a newer version has migrated the database; replace this process");
  };
  let isBehind = false;
  const keepUp = async (): Promise<void> => {
    await follow();
    if (isBehind) log.warn({}, "catalog refreshed again");
    isBehind = false;
  };
  // It runs so often that an outage of minutes would fill the log.
  const fallBehind = (error: unknown): void => {
    if (!isBehind) log.warn(errorFields(error), "catalog refresh failed");
    isBehind = true;
  };
  const ends = [
    every(ms, look, (error) => log.warn(errorFields(error), "recovery failed")),
    every(ms, discover, (error) => log.warn(errorFields(error), "model discovery failed")),
    every(Math.min(ms, FOLLOW_MS), keepUp, fallBehind),
  ];
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/** Writes pending settlements, and settles the work of dead processes. */
async function settleAndRecover(store: Store): Promise<void> {
  const now = Date.now();
  await store.money.heartbeat(now);
  await store.money.recover(now);
}
