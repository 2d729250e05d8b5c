import { join } from "node:path";
import { type Accounts, createAccounts } from "./accounts/accounts.ts";
import { createEndedSessions, type EndedSessions } from "./accounts/ended-sessions.ts";
import { createLedger, type Ledger } from "./accounts/ledger.ts";
import { type Attempts, createAttempts } from "./accounts/sign-in-attempts.ts";
import { type Archive, createArchive } from "./archive/archive.ts";
import { type AuditLog, createAuditLog } from "./audit-log.ts";
import { createStoredBatches, type StoredBatches } from "./batches/batches.ts";
import { createStoredFiles, type StoredFiles } from "./batches/files.ts";
import { prepareLineMoney } from "./batches/line-money.ts";
import { type BatchLines, createBatchLines } from "./batches/lines.ts";
import { createUpstreamBatches, type UpstreamBatches } from "./batches/upstream-batches.ts";
import { type Catalog, createCatalog } from "./catalog.ts";
import { createDeclarations, type Declarations } from "./declarations/declarations.ts";
import type { Engine, Reader } from "./engine/engine.ts";
import type { StoreLog } from "./engine/log.ts";
import { makeOwner } from "./engine/owner.ts";
import { prepareHeartbeat } from "./engine/prepare-heartbeat.ts";
import { run } from "./engine/statement.ts";
import type { Thread } from "./engine/thread.ts";
import { createStoredAssets, type StoredAssets } from "./jobs/assets.ts";
import { createStoredJobs, type StoredJobs } from "./jobs/jobs.ts";
import { createKeyRates, type KeyRates } from "./keys/key-rates.ts";
import { createKeys, type Keys } from "./keys/keys.ts";
import { createKeyUses, type KeyUses } from "./keys/last-use.ts";
import { createSeals, type Seals } from "./keys/seals.ts";
import { createLeases, type Leases } from "./leases/leases.ts";
import { isOutdated, migrate } from "./migrations/migrate.ts";
import { createMoney, type Money } from "./money/money.ts";
import { createLateNotes } from "./money/settle.ts";
import { type AlertOptions, prepareAlerts } from "./outbox/alerts.ts";
import { createOutbox, type Outbox } from "./outbox/outbox.ts";
import { createPartitions, type Partitions } from "./partitions/partitions.ts";
import { type CachedAnswers, createCachedAnswers } from "./requests/cached-answers.ts";
import { createContents } from "./requests/contents.ts";
import { createRepeats, type Repeats } from "./requests/idempotency-keys.ts";
import { createIssuedIds, type IssuedIds } from "./requests/issued-ids.ts";
import { defaultRecords, type RecordOptions } from "./requests/record-options.ts";
import { createRefusals, type Refusals } from "./requests/refusals.ts";
import { createRetention, type Retention } from "./requests/retention.ts";
import { createGenerations, type Generations } from "./usage/generations.ts";
import { createLatencies } from "./usage/latencies.ts";
import { createUsage, type Usage } from "./usage/series.ts";

/** A process that has the database open. */
export interface StoreProcess {
  /** Its name as the owner of holds: the host's name comes first, then the process's id. */
  owner: string;
  /** When it opened the database, in ms. */
  startedAt: number;
  /** Its last sign of life, in ms. */
  heartbeatAt: number;
}

/**
 * The data of the service. Every part throws `StoreUnavailable` when the database cannot be reached in time, and
 * `RangeError` for ids and amounts that no correct caller sends.
 */
export interface Store {
  /** This store's name, as the owner of its holds. */
  readonly owner: string;
  /** The payers: their credit and their sign-in. */
  readonly accounts: Accounts;
  /** The keys of accounts. */
  readonly keys: Keys;
  /** Counts of requests and tokens, for keys that have rate limits. */
  readonly keyRates: KeyRates;
  /** When each key was last used, and from which address. */
  readonly keyUses: KeyUses;
  /** What the database has in encrypted form. */
  readonly seals: Seals;
  /** The configured models, and when each changed. */
  readonly catalog: Catalog;
  /** What operators declare beside the configuration file, such as providers and models. */
  readonly declarations: Declarations;
  /** Records of generations. */
  readonly generations: Generations;
  /** Sums of usage by hour and day. */
  readonly usage: Usage;
  /** Holds, settlements and their recovery. */
  readonly money: Money;
  /** The movements of credit. */
  readonly ledger: Ledger;
  /** Idempotency keys, with the answers that repeated requests get. */
  readonly repeats: Repeats;
  /** The contents of requests, as far as `RecordOptions` keeps them. */
  readonly contents: Retention;
  /** Requests that were refused before they had a generation. */
  readonly refusals: Refusals;
  /** Answers that are kept to be given once more. */
  readonly cachedAnswers: CachedAnswers;
  /** Which accounts received the ids in providers' answers. */
  readonly issuedIds: IssuedIds;
  /** Tries to sign in, and the pauses between them. */
  readonly attempts: Attempts;
  /** Changes by operators and by callers. */
  readonly auditLog: AuditLog;
  /** Sessions that people ended before they would expire. */
  readonly endedSessions: EndedSessions;
  /** Images, videos and speech in work. */
  readonly jobs: StoredJobs;
  /** Files that the service keeps, and identity assets. */
  readonly assets: StoredAssets;
  /** The records of closed months in files. */
  readonly archive: Archive;
  /** Files that callers store, and those of batches. */
  readonly files: StoredFiles;
  /** Requests that are run together. */
  readonly batches: StoredBatches;
  /** The requests of running batches. */
  readonly batchLines: BatchLines;
  /** The batches of providers that run such requests. */
  readonly upstreamBatches: UpstreamBatches;
  /** The partitions of its tables by month. */
  readonly partitions: Partitions;
  /** Events that webhooks still have to get. */
  readonly outbox: Outbox;
  /** Replaces the choice of events that are written for webhooks. */
  setAlerts(options: AlertOptions): void;
  /**
   * Writes heartbeats from a separate thread until the store is closed, so that a blocked event loop does not make this
   * process count as dead. A runtime without threads writes them from the loop; a database in memory needs none.
   */
  startHeartbeat(): void;
  /** The replica that lists and sums come from, if there is one. */
  readonly reader?: Reader;
  /** Resolves when the database answers. */
  ready(): Promise<void>;
  /** The processes that have the database open, the oldest first; those that died stay until recovery. */
  processes(): Promise<StoreProcess[]>;
  /** True once a newer program has migrated the database: this one still works but should be replaced. */
  isOutdated(): Promise<boolean>;
  /** Finishes running writes and closes. Recovery will end the holds that remain. */
  close(): Promise<void>;
}

/** The settings of a store that do not depend on its database. */
export interface StoreOptions {
  /** Default: nothing is logged. */
  log?: StoreLog;
  /**
   * A folder for traces of calls that go out before the database has them, so that they are recorded after a crash. All
   * processes of a machine may share it. Default: beside the SQLite file; with Postgres none, so a crash loses the
   * records of calls of the last milliseconds.
   */
  calls?: string;
  /** How much of callers' requests is kept, and for how long. */
  records?: Partial<RecordOptions>;
  /** The number of requests in about a second from which a credit lease pays for itself; `Infinity`: never. */
  busy?: number;
  /** The events that are written for webhooks. Default: none, at no cost. */
  alerts?: AlertOptions;
}

/** Further settings, which tests replace. */
export interface StoreSettings extends StoreOptions {
  /** This store's name as the owner of holds, never used twice. Default: one that identifies its process. */
  owner?: string;
  /** The silence after which a process counts as dead, in ms; the same for all processes. */
  silentMs?: number;
}

const BUSY = 8;
const SILENT_MS = 30_000;
/** The number of heartbeats in that time. */
const BEATS = 6;

/** Migrates the database and opens a store on it; closes the engine if that fails. */
export async function openStore(
  engine: Engine,
  { log, owner = makeOwner(), silentMs = SILENT_MS, busy = BUSY, ...settings }: StoreSettings = {},
): Promise<Store> {
  const records = { ...defaultRecords, ...settings.records };
  try {
    const now = Date.now();
    await migrate(engine, now);
    const { location, file } = engine;
    const folder = settings.calls ?? (file && `${file}-calls`);
    const calls = folder && join(folder, await nameOf(engine));
    const lateNotes = createLateNotes(log);
    const alerts = prepareAlerts(engine, settings.alerts);
    const partitions = createPartitions(engine, log);
    await partitions.open(now);
    const contents = createContents(engine, { records, log });
    const refusals = createRefusals(engine, { records, log });
    const keyUses = createKeyUses(engine, { log });
    const latencies = createLatencies(engine, log);
    const leases = createLeases(engine, {
      owner,
      calls,
      log,
      busy,
      alerts,
      latencies,
      late: lateNotes.noteLate,
    });
    const money = createMoney(engine, leases, lateNotes, {
      ...{ owner, silentMs, log, contents, alerts, latencies, calls },
    });
    const startHeart =
      location &&
      (await prepareHeartbeat(
        { location, owner, everyMs: silentMs / BEATS },
        () => money.heartbeat(Date.now()),
        log,
      ));
    await money.heartbeat(now);
    let heart: Pick<Thread, "stop"> | undefined;
    let closed: Promise<void> | undefined;
    return {
      owner,
      money,
      accounts: createAccounts(engine, (account) => leases.changed({ account })),
      keys: createKeys(engine, alerts, (key) => leases.changed({ key })),
      keyUses,
      seals: createSeals(engine),
      keyRates: createKeyRates(engine, { owner, silentMs }),
      catalog: createCatalog(engine),
      declarations: createDeclarations(engine),
      generations: createGenerations(engine, contents, leases),
      usage: createUsage(engine, { latencies, refusals, contents }),
      ledger: createLedger(engine),
      repeats: createRepeats(engine, records),
      contents: createRetention(engine, { contents, partitions, records }),
      refusals,
      cachedAnswers: createCachedAnswers(engine),
      issuedIds: createIssuedIds(engine),
      archive: createArchive(engine, partitions, () => nameOf(engine)),
      partitions,
      attempts: createAttempts(engine),
      jobs: createStoredJobs(engine, leases, owner, { contents, alerts, latencies }),
      outbox: createOutbox(engine),
      setAlerts: alerts.follow,
      auditLog: createAuditLog(engine),
      endedSessions: createEndedSessions(engine),
      assets: createStoredAssets(engine),
      files: createStoredFiles(engine),
      batches: createStoredBatches(engine),
      batchLines: createBatchLines(
        engine,
        prepareLineMoney(engine, leases, { owner, contents, alerts, latencies }),
      ),
      upstreamBatches: createUpstreamBatches(engine),
      startHeartbeat() {
        if (!closed) heart ??= startHeart?.();
      },
      ...(engine.reader && { reader: engine.reader }),
      async ready() {
        await engine.read(() => run({ sql: "SELECT 1", parameters: [] }));
      },
      processes: () =>
        engine.read(function* () {
          const all = engine.db.selectFrom("instances").selectAll().orderBy("started_at").orderBy("owner");
          return (yield* run(all)).map(({ owner, started_at, heartbeat_at }) => ({
            ...{ owner, startedAt: started_at, heartbeatAt: heartbeat_at },
          }));
        }),
      isOutdated: () => isOutdated(engine),
      close() {
        closed ??= leave(engine, owner, money, leases, [contents, refusals, latencies, keyUses], heart);
        return closed;
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** A name for the database: several may share a folder, and a new one may replace another. */
const nameOf = (engine: Engine): Promise<string> =>
  engine.read(function* () {
    const made = engine.db.selectFrom("migrations").select("applied_at").orderBy("number").limit(1);
    return String((yield* run(made))[0]?.applied_at);
  });

async function leave(
  engine: Engine,
  owner: string,
  money: Money,
  leases: Leases,
  gathered: readonly { close(): Promise<void> }[],
  heart: Pick<Thread, "stop"> | undefined,
): Promise<void> {
  try {
    await heart?.stop();
    await leases.close();
    for (const one of gathered) await one.close();
    await money.heartbeat(Date.now());
    await engine.write(() => run(engine.db.deleteFrom("instances").where("owner", "=", owner)));
  } finally {
    await engine.close();
  }
}
