import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createProber, type Prober } from "@manifold-gateway/media";
import {
  createGuardedFetch,
  createLineClient,
  createTransport,
  type Transport,
} from "@manifold-gateway/providers";
import { createSimulator } from "@manifold-gateway/simulator";
import { createLinks, type Objects, openDisk, type Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { JobsOptions } from "../../../packages/gateway/src/jobs/contract.ts";
import { createJobs } from "../../../packages/gateway/src/jobs/jobs.ts";
import { shareProber } from "../../../packages/gateway/src/media/shared-prober.ts";
import type { Jobs } from "../../../packages/gateway/src/ports/jobs.ts";
import type { Database } from "../../store/databases/database.ts";
import { PLACE } from "../../store/databases/place.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { makeCaller } from "../../store/fixtures.ts";
import { type LogEntry, recordLog } from "../../support/log.ts";
import { type ManualClock, manualClock } from "./clock.ts";
import { serviceAt } from "./orders.ts";

/** For tests of statements that `test/store` does not see alone. */
export const allDatabases = [
  ["sqlite", makeSqlite],
  ["postgres", makePostgres],
] as const;

/** Both where `DATABASES=all` says so, else SQLite: statements are tested on both in `test/store`. */
export const databases = process.env.DATABASES === "all" ? allDatabases : allDatabases.slice(0, 1);

export const secrets = [{ id: "a", secret: "s".repeat(32) }];

/** A database, a provider of every wire, and an object store, for the tests of one block. */
export interface Stage {
  database: Database;
  store: Store;
  objects: Objects;
  folder: string;
  origin: string;
  simulator: ReturnType<typeof createSimulator>;
  clock: ManualClock;
  /** What was logged, since the test began. */
  logged: LogEntry[];
  /** A worker of its own; it is closed with the stage, unless it is to stop by itself. */
  worker(more?: Partial<JobsOptions>, stops?: "stops"): Jobs;
  caller(credit?: number): Promise<{ accountId: string; keyId: string }>;
  /** Lets a worker and the clock go on until the job has ended. */
  finish(jobs: Jobs, ref: { id: string; accountId: string }): ReturnType<Jobs["finished"]>;
}

export function useStage(make: () => Promise<Database>): () => Stage {
  let stage: Stage;
  let transport: Transport;
  let prober: Prober;
  const workers: Jobs[] = [];
  beforeAll(async () => {
    const database = await make();
    const store = await database.open();
    const folder = mkdtempSync(join(PLACE, "manifold-jobs-"));
    const clock = manualClock(Date.now());
    const simulator = createSimulator({ now: clock.now, ledgerSize: 20_000 });
    const { origin } = await simulator.listen();
    const links = createLinks({ base: "http://127.0.0.1", secrets });
    const objects = await openDisk({ folder, links, now: clock.now });
    transport = createTransport();
    prober = createProber({ workers: 1 });
    const { log, entries: logged } = recordLog();
    const options: JobsOptions = {
      store,
      objects,
      probes: shareProber(prober),
      clock,
      log,
      policy: "threshold",
      client: createLineClient(transport),
      fetch: createGuardedFetch({ allow: ["127.0.0.1/32"] }),
      service: (entry) => serviceAt(origin, entry),
      random: () => 0.5,
    };
    stage = {
      database,
      store,
      objects,
      folder,
      origin,
      simulator,
      clock,
      logged,
      worker(more, stops) {
        const jobs = createJobs({ ...options, ...more });
        if (!stops) workers.push(jobs);
        return jobs;
      },
      caller: (credit = 1_000_000_000) => makeCaller(store, { credit }),
      async finish(jobs, ref) {
        for (let turns = 0; turns < 500; turns++) {
          await jobs.wake();
          const job = await jobs.get(ref);
          if (job?.endedAt !== undefined) return job;
          clock.next();
        }
        throw new Error("the job does not end");
      },
    };
  });
  beforeEach(() => {
    stage.simulator.reset();
    stage.logged.splice(0);
  });
  afterAll(async () => {
    for (const jobs of workers) await jobs.close();
    await stage.simulator.close();
    await prober.close();
    await transport.close();
    await stage.objects.close();
    await stage.store.close();
    await stage.database.drop();
    rmSync(stage.folder, { recursive: true, force: true });
  });
  return () => stage;
}

/** The simulator's media jobs for a job, found by the mark in their requests. */
export const mediaJobsOf = ({ simulator }: Stage, mark: string) =>
  simulator.ledger.mediaJobs().filter(({ request }) => JSON.stringify(request).includes(mark));
