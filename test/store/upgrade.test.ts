import { hash } from "node:crypto";
import { lookupHash, openKey, prefixOf, type Store, StoreUnavailable, sumOf } from "@manifold-gateway/store";
import Client from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { createPostgresEngine } from "../../packages/store/src/engine/postgres.ts";
import { createSqliteEngine } from "../../packages/store/src/engine/sqlite.ts";
import { MIGRATIONS, migrate, spellingOf } from "../../packages/store/src/migrations/migrate.ts";
import type { Database } from "./databases/database.ts";
import { makePostgres } from "./databases/postgres.ts";
import { makeSqlite } from "./databases/sqlite.ts";
import { makeReservation, NOW } from "./fixtures.ts";
import { DATA, KEY, RELEASED, SEAL } from "./versions.ts";

const ALL = MIGRATIONS.map((_, at) => at + 1);
/** A schema on Postgres takes a second: of the versions there, some in between and the newest. */
const SOME = process.env.VERSIONS === "all" ? ALL : ALL.filter((at) => at % 4 === 1 || at > ALL.length - 2);
const DATABASES = [
  { dialect: "sqlite", make: makeSqlite, versions: ALL },
  { dialect: "postgres", make: makePostgres, versions: SOME },
] as const;

/** A database of the version that ends with migration `version`, with data in it. */
async function makeVersion(make: () => Promise<Database>, version: number): Promise<Database> {
  const database = await make();
  const { dialect, location } = database;
  const engine =
    dialect === "sqlite" ? createSqliteEngine({ path: location }) : createPostgresEngine({ url: location });
  await migrate(engine, NOW, MIGRATIONS.slice(0, version));
  await engine.close();
  for (const statement of DATA.slice(0, version).flat()) await database.execute(statement);
  return database;
}

const TABLES = [
  ...["accounts", "api_keys", "key_spend", "generations", "requests", "transfers", "revisions"],
  ...["models", "repeats", "jobs", "assets", "asset_groups", "leases"],
];

/** All rows of the tables that there are, in one order. */
async function rowsOf(database: Database): Promise<Record<string, Record<string, unknown>[]>> {
  const tables: Record<string, Record<string, unknown>[]> = {};
  for (const table of TABLES) {
    const rows = await database.execute(`SELECT * FROM ${table}`).catch(() => undefined);
    if (rows) tables[table] = rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return tables;
}

/** Ends what was under way, and takes a new request through. */
async function goOn(store: Store, isWithJobs: boolean): Promise<void> {
  expect(await store.money.recover(NOW)).toEqual({ settled: 1, released: 0 });
  expect(await store.generations.get({ id: "g-open", accountId: "ada" })).toMatchObject({ cost: 10 });
  if (isWithJobs) {
    const terms = { now: NOW, until: NOW + 1, most: 9, kinds: ["video"] } as const;
    const [job] = await store.jobs.claim("worker", terms);
    const ref = { id: "j-live", owner: "worker", attempt: job!.attempt };
    await store.jobs.finish(ref, { at: NOW, state: "succeeded", ending: { cost: 7 } });
  }
  const reservation = makeReservation({ accountId: "ada", keyId: "k1" }, 50, { policy: "strict" });
  const { id } = reservation.generation;
  expect(await store.money.reserve(reservation)).toEqual({ ok: true });
  expect(await store.money.settle({ id, cost: 40, status: "succeeded" })).toEqual({ outcome: "written" });
  expect(await store.money.refund(id, 40, NOW)).toBe(true);
  expect((await store.accounts.get("ada"))?.held).toBe(0);
}

describe.each(DATABASES)("a database of an earlier version on $dialect", ({ dialect, make, versions }) => {
  it.each(versions)("a database of %i migrations keeps all its data, and is migrated", async (version) => {
    const database = await makeVersion(make, version);
    const before = await rowsOf(database);
    // Names of requests count for a key since.
    if (version < 13) for (const row of before.repeats ?? []) row.name = "k1 n";
    const store = await database.open();
    const after = await rowsOf(database);
    for (const [table, rows] of Object.entries(before)) {
      expect(rows.length, table).toBeGreaterThan(0);
      // Columns that came later are left out of the comparison.
      for (const [at, row] of rows.entries()) expect(after[table]?.[at], table).toMatchObject(row);
      expect(after[table]?.length).toBe(rows.length);
    }

    expect(await store.money.audit()).toEqual([]);
    const spent = 14 + (version >= 5 ? 30 : 0) + (version >= 7 ? 6 : 0) + (version >= 16 ? 8 : 0);
    expect(await store.accounts.get("ada")).toMatchObject({
      balance: 1_000_000 - 3 + 2 - spent,
      held: 20 + (version >= 5 ? 7 : 0) + (version >= 16 ? 9 : 0),
    });
    expect(await store.accounts.get("grace")).toMatchObject({ isActive: false, balance: 500 });
    expect(await store.keys.find(lookupHash(KEY))).toMatchObject({
      id: "k1",
      isActive: true,
      caps: { total: 1_000 },
    });
    const sealed = await store.keys.sealed({ accountId: "ada", id: "k1" });
    expect(openKey(sealed!, "k1", SEAL)).toBe(KEY);
    expect((await store.money.capStatus("k1", NOW)).total).toMatchObject({ spent });
    expect(await store.generations.get({ id: "g-done", accountId: "ada" })).toMatchObject({
      cost: 6,
      usage: { input: 1, output: 3 },
      request: { messages: ["Hello"] },
    });
    if (version >= 2) expect(await store.catalog.list()).toMatchObject([{ id: "m1", revision: 4 }]);
    if (version >= 3) expect((await store.accounts.findLogin("ada"))?.account.id).toBe("ada");
    if (version >= 5)
      expect(await store.assets.get({ id: "a1", accountId: "ada" })).toMatchObject({ size: 9 });
    const range = { accountId: "ada", from: 0, to: NOW + 3_600_000, entry: version >= 21 ? "e-1" : "" };
    const counted = sumOf(await store.usage.series(range, { bucket: "day" }));
    expect(counted).toMatchObject(version >= 21 ? { requests: 1, cost: 6 } : { cost: spent + 3 });
    await goOn(store, version >= 5);
    expect(await store.money.audit()).toEqual([]);
    await store.close();
    await database.drop();
  });

  it("an upgraded database shows no more than a stub of a short key", async () => {
    const database = await makeVersion(make, 12);
    await database.execute("UPDATE api_keys SET prefix = 'hunter22' WHERE id = 'k2'");
    const store = await database.open();
    const keys = await store.keys.list("ada");
    expect(keys.map(({ prefix }) => prefix)).toEqual([prefixOf(KEY), "h"]);
    await store.close();
    await database.drop();
  });

  it.runIf(dialect === "sqlite")(
    "a disk that is full undoes a migration, which is made once there is room",
    async () => {
      const database = await makeVersion(make, 6);
      const before = await rowsOf(database);
      const client = new Client(database.location);
      client.pragma(`max_page_count = ${Number(client.pragma("page_count", { simple: true })) + 4}`);
      const full = createSqliteEngine({ path: database.location }, undefined, client);
      const failed = migrate(full, NOW);
      await expect(failed).rejects.toThrow(StoreUnavailable);
      await expect(failed).rejects.toThrow(
        /^the store is unavailable: migration \d+ ".+" was undone: .*disk is full$/,
      );
      await full.close();
      expect(await database.execute("SELECT MAX(number) AS version FROM migrations")).toEqual([
        { version: 6 },
      ]);
      expect(await rowsOf(database)).toEqual(before);
      const store = await database.open();
      expect(await store.money.audit()).toEqual([]);
      await store.close();
      await database.drop();
    },
  );

  it("every earlier version has data in these tests", () => {
    expect(DATA.length).toBe(MIGRATIONS.length);
  });

  it("an earlier database is migrated by the statements that were released", () => {
    const hashes = MIGRATIONS.map(({ statements }) =>
      hash("sha256", JSON.stringify(statements(spellingOf(dialect))), "hex").slice(0, 16),
    );
    expect(hashes.slice(0, RELEASED[dialect].length)).toEqual(RELEASED[dialect]);
  });
});
