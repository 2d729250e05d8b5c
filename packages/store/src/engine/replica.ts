import type { Reader, Work } from "./engine.ts";
import { errorFields } from "./error-fields.ts";
import type { StoreLog } from "./log.ts";
import { type Access, inspectServer } from "./postgres-access.ts";
import { drive } from "./postgres-drive.ts";
import { WrongServer } from "./postgres-fault.ts";
import { createPool, limitsOf, type Pool } from "./postgres-pool.ts";
import { newPrimary } from "./postgres-primary.ts";
import { delayOf, type Sample } from "./replica-delay.ts";
import { checkReplica, PLACE, type Place } from "./replica-place.ts";

/** A replica of the database that reads for reports. */
export interface ReaderOptions {
  /** Its address, or that of a balancer that leads to replicas. */
  url: string;
  /** The greatest accepted delay, in ms; 10,000 by default. With a greater delay, reports come from the primary. */
  maxDelayMs?: number;
}

export interface Replica extends Reader {
  /** Runs work that only reads; `undefined` if the replica is unreachable or too far behind. */
  read<T>(work: () => Work<T>): Promise<{ value: T } | undefined>;
  close(): Promise<void>;
}

const MAX_DELAY_MS = 10_000;
/** The interval at which the primary and the replica are compared, in ms. */
const LOOK_MS = 1_000;
const WAIT_MS = 2_000;
const CONNECTIONS = 2;

interface Setting {
  statementMs: number;
  primaryPlace(): Promise<Place>;
  log: StoreLog | undefined;
}

/** Opens a replica. It may be unreachable at first or later: every second it is tried again. */
export function openReplica(
  { url, maxDelayMs = MAX_DELAY_MS }: ReaderOptions,
  { statementMs, primaryPlace, log }: Setting,
): Replica {
  const samples: Sample[] = [];
  let primary: Place | undefined;
  let access: Access | undefined;
  let pool: Pool | undefined;
  let delay: number | undefined;
  /** The last state that was logged; undefined while the first samples are taken. */
  let isReported: boolean | undefined;

  const open = async (): Promise<Pool> => {
    access ??= (await inspectServer(url)).access;
    pool ??= createPool({
      ...{ url, max: CONNECTIONS, waitMs: WAIT_MS, statementMs, isPooled: access.isPooled },
      ...{ primary: newPrimary(), mayBeReplica: true },
    });
    return pool;
  };

  /** Runs work in a transaction of the replica, which behind a pooler keeps it on one server. */
  const run = async <T>(work?: () => Work<T>): Promise<{ value: T } | undefined> =>
    (await open()).use(async (client) => {
      await client.query(`BEGIN READ ONLY${access?.isPooled ? `; ${limitsOf(statementMs)}` : ""}`);
      const place: Place = (await client.query(PLACE)).rows[0];
      if (primary) checkReplica(place, primary);
      const found = delayOf(samples, place.position, performance.now());
      delay = found !== undefined && found <= maxDelayMs ? found : undefined;
      const value =
        delay !== undefined && work && (await drive(client, work(), { isUnnamed: !access?.keepsNames }));
      await client.query("COMMIT");
      return delay === undefined ? undefined : { value: value as T };
    });

  const report = (isUsed: boolean, error?: unknown): void => {
    const isYoung = samples.length * LOOK_MS < maxDelayMs;
    if (isUsed === isReported || (isReported === undefined && !isUsed && isYoung && error === undefined))
      return;
    const before = isReported;
    isReported = isUsed;
    if (!isUsed) {
      const isForeign = error instanceof WrongServer;
      const fields = isForeign ? { error: error.message } : errorFields(error);
      const reason = error === undefined ? { maxDelayMs } : fields;
      const why = isForeign ? "the reader is no replica of it" : "the replica is away or behind";
      log?.warn(reason, `reports come from the primary: ${why}`);
    } else if (before === false) log?.warn({}, "reports come from the replica again");
  };
  const attempt = async <T>(work?: () => Work<T>): Promise<{ value: T } | undefined> => {
    try {
      const result = await run(work);
      report(result !== undefined);
      return result;
    } catch (error) {
      delay = undefined;
      report(false, error);
      return undefined;
    }
  };

  const look = async (): Promise<void> => {
    try {
      const at = performance.now();
      primary = await primaryPlace();
      samples.push({ at, position: primary.position });
      while (samples.length > 1 && at - samples[1]!.at > maxDelayMs) samples.shift();
    } catch {
      // Without samples of the primary, the delay grows until the replica is not used.
    }
    await attempt();
  };
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  /** A check takes longer than a second while the replica is unreachable, so the next one waits for it. */
  const lookOn = async (): Promise<void> => {
    await look();
    if (isClosed) return;
    timer = setTimeout(() => {
      looking = lookOn();
    }, LOOK_MS);
    timer.unref();
  };
  let looking = lookOn();

  return {
    read: (work) => (delay === undefined ? Promise.resolve(undefined) : attempt(work)),
    delayMs: () => delay,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
      await pool?.end();
    },
  };
}
