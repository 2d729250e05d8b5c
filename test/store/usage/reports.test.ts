import type { Worker } from "node:worker_threads";
import { StoreUnavailable } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../packages/store/src/engine/engine.ts";
import { createPostgresEngine } from "../../../packages/store/src/engine/postgres.ts";
import { createSqliteEngine } from "../../../packages/store/src/engine/sqlite.ts";
import { run } from "../../../packages/store/src/engine/statement.ts";
import { openStore } from "../../../packages/store/src/store.ts";
import type { Database } from "../databases/database.ts";
import { makePostgres } from "../databases/postgres.ts";
import { makeSqlite } from "../databases/sqlite.ts";
import { makeCaller, NOW } from "../fixtures.ts";

const ask = (sql: string) => () => run<{ n: number }>({ sql, parameters: [] });
const ONE = ask("SELECT 1 AS n");

const COUNTED = ask(
  "WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 300000) SELECT MAX(n) AS n FROM counted",
);
/** A lock of this schema alone. */
const LOCK = "hashtext(current_schema())";

const DATABASES = [
  {
    dialect: "sqlite",
    make: makeSqlite,
    open: (path: string): Engine => createSqliteEngine({ path }),
    /** Takes a while, and has one row. */
    slow: COUNTED,
    gate: { close: "SELECT 1", pass: COUNTED, open: "SELECT 1" },
  },
  {
    dialect: "postgres",
    make: makePostgres,
    open: (url: string): Engine => createPostgresEngine({ url, connections: 2 }),
    slow: ask("SELECT 300000 AS n FROM pg_sleep(0.3)"),
    /** Keeps reports under way until it opens: a connection may take longer to come than any report. */
    gate: {
      close: `SELECT pg_advisory_lock(${LOCK})`,
      pass: ask(`SELECT 300000 AS n FROM pg_advisory_xact_lock_shared(${LOCK})`),
      open: `SELECT pg_advisory_unlock(${LOCK})`,
    },
  },
] as const;

describe.each(DATABASES)("reports on $dialect", ({ make, open, slow, gate }) => {
  let database: Database;
  let engine: Engine;
  beforeAll(async () => {
    database = await make();
    engine = open(database.location);
  });
  afterAll(async () => {
    await engine.close();
    await database.drop();
  });

  it("requests read while more reports are under way than there are connections", async () => {
    const ended: string[] = [];
    await database.execute(gate.close);
    const reports = [engine.report, engine.report, engine.snapshot, engine.report].map((report) =>
      report(gate.pass).then(([row]) => {
        ended.push("report");
        return row;
      }),
    );
    await engine.read(ONE);
    ended.push("request");
    await database.execute(gate.open);
    expect(await Promise.all(reports)).toEqual(Array(4).fill({ n: 300_000 }));
    expect(ended).toEqual(["request", "report", "report", "report", "report"]);
  });

  it("a report reads what was committed before it, and a snapshot the same throughout", async () => {
    await engine.write(ask("CREATE TABLE counters (n INTEGER)"));
    await engine.write(ask("INSERT INTO counters VALUES (1)"));
    const counted = ask("SELECT CAST(COUNT(*) AS INTEGER) AS n FROM counters");
    expect(await engine.report(counted)).toEqual([{ n: 1 }]);
    let changed: Promise<unknown> | undefined;
    const seen = await Promise.all(
      [1, 2].map(() =>
        engine.snapshot(function* () {
          const before = yield* counted();
          changed ??= engine.write(ask("INSERT INTO counters VALUES (2)"));
          yield* slow();
          return [before, yield* counted()];
        }),
      ),
    );
    await changed;
    for (const [before, after] of seen) expect(after).toEqual(before);
    expect(await engine.report(counted)).toEqual([{ n: 2 }]);
  });

  it("a statement that fails throws inside the work of a report, which may go on", async () => {
    const found = await engine.report(function* () {
      try {
        return yield* ask("SELECT n FROM missing")();
      } catch (error) {
        return [(error as Error).message];
      }
    });
    expect(found).toEqual([expect.stringContaining("missing")]);
    await expect(engine.report(ask("SELECT n FROM missing"))).rejects.not.toThrow(StoreUnavailable);
  });

  it("a report that is under way when the store is closed ends, and none begins after it", async () => {
    const own = open(database.location);
    const under = own.report(slow).catch((error: unknown) => error);
    await own.report(ONE);
    await own.close();
    const ended = await under;
    expect(ended instanceof StoreUnavailable || Array.isArray(ended)).toBe(true);
    await expect(own.report(ONE)).rejects.toThrow();
  });

  it("lists, sums and the audit are read as reports, and not as requests read", async () => {
    const inner = open(database.location);
    const store = await openStore(inner);
    const { accountId } = await makeCaller(store, { credit: 100 });
    let isOpen = false;
    const bare = await openStore({
      ...inner,
      close: async () => {},
      read: async (work) => {
        if (isOpen) throw new Error("a request waits for this");
        return inner.read(work);
      },
    });
    isOpen = true;
    const page = { offset: 0, limit: 10 };
    const range = { from: 0, to: NOW };
    const narrow = { accountId, model: "none" };
    const read: Record<string, () => Promise<unknown>> = {
      "generations.ranked": () => bare.generations.ranked({}, { by: "cost", offset: 0, limit: 10 }),
      "generations.totals": () => bare.generations.totals({ minCost: 1 }),
      "generations.list": () => bare.generations.list(narrow, page),
      "generations.after": () => bare.generations.after(narrow, { limit: 10, isWithRequest: true }),
      "generations.count": () => bare.generations.count(narrow),
      "usage.series": () => bare.usage.series(range, { by: "account", bucket: "day" }),
      "usage.spent": () => bare.usage.spent([accountId], 0),
      "ledger.list": () => bare.ledger.list(accountId, page),
      "ledger.totals": () => bare.ledger.totals(),
      "ledger.days": () => bare.ledger.days(0),
      "accounts.list": () => bare.accounts.list(page),
      "auditLog.list": () => bare.auditLog.list({}, page),
      "jobs.list": () => bare.jobs.list({ accountId }, page),
      "jobs.newest": () => bare.jobs.newest({}, 10),
      "jobs.orphans": () => bare.jobs.orphans(page),
      "assets.list": () => bare.assets.list({ accountId }, page),
      "outbox.depth": () => bare.outbox.depth(),
      "money.audit": () => bare.money.audit(),
    };
    const failed: string[] = [];
    for (const [name, work] of Object.entries(read)) await work().catch(() => failed.push(name));
    expect(failed).toEqual([]);
    await store.close();
  });
});

it("a reader that is lost fails the reports under way, and the next ones are read by another", async () => {
  const threads: Worker[] = [];
  const watch = (thread: Worker): void => void threads.push(thread);
  process.on("worker", watch);
  const database = await makeSqlite();
  const engine = createSqliteEngine({ path: database.location });
  await engine.report(ONE);
  // The thread of the log starts later.
  const reader = threads[0]!;
  const under = engine.report(DATABASES[0].slow);
  const lost = expect(under).rejects.toThrow(StoreUnavailable);
  await reader.terminate();
  await lost;
  await expect.poll(() => engine.report(ONE).catch(() => [])).toEqual([{ n: 1 }]);
  process.off("worker", watch);
  await engine.close();
  await database.drop();
});
