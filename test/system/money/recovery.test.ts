import type { Store } from "@manifold-gateway/store";
import { describe, expect, it } from "vitest";
import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { setting, storeOf, untilAlone } from "./places.ts";
import { launchGateway, startGateways } from "./process.ts";

/** Several pages of a recovery, so that it is many transactions. */
const HOLDS = setting("MONEY_HOLDS", 600);
/** More than one page, and less than two. */
const IN_SECOND_PAGE = 150;
const KILLS = 2;
const CREDIT = 1_000_000;
const AMOUNT = 100;
/** What a note says, and what it comes to. */
const NOTE = { input: 3, output: 7, requests: 1, estimated: true };
const COST = 14;

/** A process that died with work in flight, half of it with notes of what it had used. */
async function leaveHolds(store: Store): Promise<void> {
  await store.accounts.ensure({ id: "acc", name: "Ada", at: 1 });
  await store.accounts.credit({ accountId: "acc", amount: CREDIT, kind: "topup", reference: "x", at: 1 });
  const leave = async (n: number): Promise<void> => {
    const id = `left-${n}`;
    await store.money.reserve({
      generation: { id, accountId: "acc", modality: "text", model: "m", price: { output: 2_000_000 } },
      amount: AMOUNT,
      at: 1,
      policy: "threshold",
      dispatched: true,
    });
    if (n % 2 === 0) await store.money.checkpoint(id, NOTE);
  };
  await Promise.all(Array.from({ length: HOLDS }, (_, n) => leave(n)));
}

const held = async (database: Database): Promise<number> => {
  const [row] = await database.execute("SELECT count(*) AS held FROM generations WHERE status = 'pending'");
  return Number(row!.held);
};

/** Makes whoever ends a generation wait: at a lock, and in SQLite, where a writer waits for none, at an endless sum. */
const BARRIERS = {
  sqlite: {
    raise: (id: string) => `CREATE TRIGGER barrier AFTER UPDATE ON generations WHEN old.id = '${id}' BEGIN
      SELECT (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT sum(x) FROM n); END`,
    lift: "DROP TRIGGER barrier",
  },
  postgres: {
    raise: (id: string) => `BEGIN; SELECT id FROM generations WHERE id = '${id}' FOR UPDATE`,
    lift: "COMMIT",
  },
};

/** Starts a gateway, and kills it when its recovery has ended one page and is in the second; gives what is still held. */
async function killWhileRecovering(database: Database): Promise<number> {
  const before = await held(database);
  const [row] = await database.execute(
    `SELECT id FROM generations WHERE status = 'pending' ORDER BY id LIMIT 1 OFFSET ${IN_SECOND_PAGE}`,
  );
  const { raise, lift } = BARRIERS[database.dialect];
  await database.execute(raise(String(row!.id)));
  const gateway = launchGateway({ store: storeOf(database) });
  const listening = gateway.listening.then(
    () => "listens",
    () => "ended",
  );
  try {
    await expect.poll(() => held(database), { interval: 10, timeout: 30_000 }).toBeLessThan(before);
  } finally {
    await gateway.kill();
    await database.execute(lift);
  }
  expect(await listening).toBe("ended");
  await untilAlone(database);
  return held(database);
}

describe.each([
  { name: "SQLite", make: makeSqlite },
  { name: "Postgres", make: makePostgres },
])("a start on $name that is killed while it recovers", ({ make }) => {
  it("a recovery that is killed leaves the rest to the next, and nothing is ended twice", {
    timeout: 60_000 + 20 * HOLDS,
  }, async () => {
    const database = await make();
    const inStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
      const store = await database.open();
      return work(store).finally(() => store.close());
    };
    const account = () => inStore((store) => store.accounts.get("acc"));
    const audit = () => inStore((store) => store.money.audit());
    try {
      await inStore(leaveHolds);
      const left = [HOLDS];
      for (let kill = 0; kill < KILLS; kill++) {
        left.push(await killWhileRecovering(database));
        expect(await audit()).toEqual([]);
        expect((await account())?.held).toBe(left.at(-1)! * AMOUNT);
      }
      // Each recovery ended something, and the last left something.
      expect(left).toEqual(left.toSorted((a, b) => b - a));
      expect(left.at(-1)).toBeGreaterThan(0);
      expect(new Set(left).size).toBe(left.length);

      const [gateway] = await startGateways(1, { store: storeOf(database) });
      await gateway!.stop();
      expect(await held(database)).toBe(0);
      expect(await audit()).toEqual([]);
      const rows = await database.execute(
        "SELECT status, cost, count(*) AS records FROM generations GROUP BY status, cost ORDER BY cost",
      );
      expect(rows.map((row) => [row.status, Number(row.cost), Number(row.records)])).toEqual([
        ["failed", 0, HOLDS / 2],
        ["failed", COST, HOLDS / 2],
      ]);
      expect(await account()).toMatchObject({
        balance: CREDIT - (HOLDS / 2) * COST,
        held: 0,
      });
    } finally {
      await database.drop();
    }
  });
});
