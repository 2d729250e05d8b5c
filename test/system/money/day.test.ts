import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator } from "@manifold-gateway/simulator";
import { describe, expect, it } from "vitest";
import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { resultsOf } from "./day/batches.ts";
import {
  answerFaults,
  faultsOf,
  interruptedFaults,
  resultFaults,
  sharedFaults,
  sumFaults,
} from "./day/books.ts";
import { configOf } from "./day/config.ts";
import { type Day, spendDay } from "./day/load.ts";
import { startGuard, startLiar } from "./day/neighbours.ts";
import { startService } from "./day/service.ts";
import { type Row, recordsOf, truthsOf } from "./day/truth.ts";
import { setting } from "./places.ts";
import { CALLS } from "./process.ts";

/** `DAY_REQUESTS=5000` is the long form, and there is no other. A batch counts as one request. */
const REQUESTS = setting("DAY_REQUESTS", 0);
const KILLS = setting("DAY_KILLS", Math.ceil(REQUESTS / 250));
const SEED = setting("DAY_SEED", 1);
const PROCESSES = 2;

/** Resolves when nothing is under way, and no credit is set aside. */
async function untilQuiet(database: Database): Promise<void> {
  const open = async (): Promise<number> => {
    const [row] = await database.execute(
      `SELECT (SELECT count(*) FROM generations WHERE status = 'pending')
        + (SELECT count(*) FROM batches WHERE phase <> 'swept')
        + (SELECT count(*) FROM leases) + (SELECT COALESCE(SUM(held), 0) FROM accounts) AS open`,
    );
    return Number(row!.open);
  };
  // A batch of a dead process is taken up after a minute.
  await expect.poll(open, { timeout: 300_000, interval: 500 }).toBe(0);
}

/** How many records ended in which way. */
function endsOf(records: ReadonlyMap<string, readonly Row[]>): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { status, usage } of [...records.values()].flat()) {
    const end = usage.recovered ? "recovered" : usage.estimated ? `${status}, estimated` : status;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

const places = [
  { dialect: "sqlite", make: makeSqlite },
  { dialect: "postgres", make: makePostgres },
];

describe.skipIf(REQUESTS === 0).each(places)("a day of two gateways on $dialect", ({ make }) => {
  it("every charge is what the provider used, whatever was cut, killed or cancelled", {
    timeout: 600_000 + 400 * REQUESTS,
  }, async () => {
    const database = await make();
    const folder = mkdtempSync(join(tmpdir(), "manifold-day-"));
    const simulator = createSimulator({ ledgerSize: 1_000_000 });
    const { origin } = await simulator.listen();
    const [liar, guard] = await Promise.all([startLiar(origin), startGuard()]);
    const places = { database, folder, simulator: origin, liar: liar.origin, guard: guard.origin };
    const service = await startService(PROCESSES, configOf(places));
    try {
      const began = Date.now();
      const day = await spendDay(service, { requests: REQUESTS, kills: KILLS, seed: SEED });
      const spent = Date.now();
      await untilQuiet(database);
      const quiet = Date.now();
      const results = new Map<Day["batches"][number], NonNullable<Awaited<ReturnType<typeof resultsOf>>>>();
      for (const batch of day.batches) {
        const lines = await resultsOf(service.origin, batch);
        if (lines) results.set(batch, lines);
      }
      await service.stop();

      const truths = truthsOf(simulator);
      const records = await recordsOf(database);
      const shared = sharedFaults(day, records, truths);
      const marks = new Set([...records.keys(), ...truths.keys()].filter((mark) => mark.startsWith("mark-")));
      const faults = [...marks].flatMap((mark) => {
        const asked = day.asked.get(mark);
        const truth = truths.get(asked?.shared ?? mark) ?? { entries: [], mediaJobs: [] };
        return faultsOf(mark, records.get(mark) ?? [], truth, asked);
      });
      const ends = endsOf(records);
      console.log(database.dialect, {
        ...{ requests: REQUESTS, kills: KILLS, seed: SEED, kinds: day.kinds, ends, hits: shared.hits },
        ...{ batches: day.batches.length, lines: [...results.values()].flat().length },
        ...{ seconds: (spent - began) / 1_000, untilQuiet: (quiet - spent) / 1_000 },
      });
      expect([
        ...faults,
        ...shared.faults,
        ...interruptedFaults(day, records, truths),
        ...answerFaults(day, records),
        ...resultFaults(results, records),
        ...(await sumFaults(database)),
      ]).toEqual([]);
      expect(service.defects()).toEqual([]);
      const store = await database.open({ calls: CALLS });
      expect(await store.money.audit()).toEqual([]);
      await store.close();
      // The day had all of it: otherwise the above says nothing.
      if (KILLS > 0) expect(ends.recovered).toBeGreaterThan(0);
      expect(shared.hits).toBeGreaterThan(0);
    } finally {
      await service.close();
      await Promise.all([liar.close(), guard.close(), simulator.close()]);
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
