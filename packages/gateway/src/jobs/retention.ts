import { logFailure } from "../http/fault.ts";
import type { JobDeps, JobFiles } from "./deps.ts";
import { ownersOf } from "./keys.ts";

/** Removes expired files in small steps. Several processes may do it at the same time. */
export interface Retention {
  /** Takes one step, which removes a limited number of files of each kind. True if there may be more. */
  step(): Promise<boolean>;
  /** Takes steps in the background from now on. */
  start(): void;
  /** Resolves when the running step has ended, after its current file. */
  stop(): Promise<void>;
}

/** The most files of each kind in one step. */
const MOST = 100;
/** The pause between two steps in milliseconds, while there is more to do and otherwise. */
const NAP = 250;
const REST = 3_600_000;

type Needs = Pick<JobDeps, "store" | "clock" | "limits" | "log"> & { files: Pick<JobFiles, "objects"> };

/**
 * Removes files that are no longer needed: files of assets after `limits.retention`, unless a running job needs them;
 * attachments of ended jobs at once; files of callers and batches once they have expired; and files without a record or
 * a running job after `limits.grace`.
 */
export function createRetention({ store, files, clock, limits, log }: Needs): Retention {
  const { objects } = files;
  let works = false;
  let stops = false;
  let unset = () => {};
  let inHand: Promise<unknown> | undefined;
  let listing: AsyncIterator<{ key: string }> | undefined;
  let listedAt = Number.NEGATIVE_INFINITY;

  async function dropAttachments(): Promise<boolean> {
    const attached = await store.jobs.attached(MOST);
    for (const { id, attachment } of attached) {
      if (stops) break;
      await objects.remove(attachment);
      await store.jobs.detach(id);
    }
    return attached.length === MOST;
  }

  /** The database marks an asset as expired before its file is removed, and drops the file's key afterwards. */
  async function dropExpired(): Promise<boolean> {
    const at = clock.now();
    const expired = await store.assets.expire({ before: at - limits.retention, at, most: MOST });
    const removed: string[] = [];
    for (const { id, key } of expired) {
      if (stops) break;
      await objects.remove(key);
      removed.push(id);
    }
    await store.assets.forget(removed);
    if (removed.length > 0) log.info({ removed: removed.length }, "files expired");
    return expired.length === MOST;
  }

  /** Removes the record last, so that contents that could not be removed are tried again. */
  async function dropExpiredFiles(): Promise<boolean> {
    const expired = await store.files.expired({ now: clock.now(), most: MOST });
    const removed: string[] = [];
    for (const { id, key } of expired) {
      if (stops) break;
      await objects.remove(key);
      removed.push(id);
    }
    await store.files.forget(removed);
    return expired.length === MOST;
  }

  async function dropUnowned(): Promise<boolean> {
    const at = clock.now();
    if (!listing && at < listedAt + limits.grace) return false;
    listing ??= objects.listOlder(at - limits.grace)[Symbol.asyncIterator]();
    listedAt = at;
    const keys: string[] = [];
    try {
      while (listing && keys.length < MOST && !stops) {
        const next = await listing.next();
        if (next.done) listing = undefined;
        else keys.push(next.value.key);
      }
    } catch (error) {
      listing = undefined;
      throw error;
    }
    const unowned = await findUnowned(keys);
    for (const key of unowned) if (!stops) await objects.remove(key);
    if (unowned.length > 0) log.warn({ removed: unowned.length }, "orphaned files removed");
    return listing !== undefined;
  }

  async function findUnowned(keys: readonly string[]): Promise<string[]> {
    const withOwners = keys.flatMap((key) => {
      const owners = ownersOf(key);
      return owners ? [{ key, ...owners }] : [];
    });
    // Jobs first: if one of them ends meanwhile, its file is found among the assets.
    const live = new Set(await store.jobs.live(withOwners.flatMap(({ jobs }) => jobs)));
    const kept = new Set([
      ...(await store.assets.keys(withOwners.flatMap(({ assets }) => assets))),
      ...(await store.files.withKeys(withOwners.map(({ key }) => key))),
    ]);
    return withOwners
      .filter(({ key, jobs }) => !kept.has(key) && !jobs.some((id) => live.has(id)))
      .map(({ key }) => key);
  }

  async function step(): Promise<boolean> {
    const more = [
      await dropAttachments(),
      await dropExpired(),
      await dropExpiredFiles(),
      await dropUnowned(),
    ];
    return more.includes(true);
  }

  async function proceed(): Promise<void> {
    let wait = REST;
    try {
      if (await step()) wait = NAP;
    } catch (error) {
      logFailure(log, error, {}, "old files could not be removed");
    }
    if (works) unset = clock.after(wait, begin);
  }

  const begin = (): void => {
    inHand = proceed();
  };

  return {
    step,
    start() {
      if (works) return;
      works = true;
      stops = false;
      begin();
    },
    async stop() {
      works = false;
      stops = true;
      unset();
      await inHand;
      await listing?.return?.();
      listing = undefined;
    },
  };
}
