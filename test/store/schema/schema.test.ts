import { inspectDatabase, lookupHash, MigrationError, openKey, sumOf } from "@manifold-gateway/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../../packages/store/src/migrations/migrate.ts";
import type { Database } from "../databases/database.ts";
import { makePostgres } from "../databases/postgres.ts";
import { makeSqlite } from "../databases/sqlite.ts";
import { makeReservation, NOW } from "../fixtures.ts";
import { describeSchema } from "./describe.ts";
import { definitionsOf, KEY, makeEarlier, SEAL } from "./earlier.ts";

/** Tables that later ones had taken the place of; no statement reads or writes them. */
const UNUSED = /^(CREATE|ALTER) TABLE (usage_hours|hourly_usage|hourly_tags)\b/;
/** Tables and indexes of later migrations. */
const LATER =
  /\b(contents|refusals|hourly_refusals|declarations|key_last_use|cached_answers|archives|archived_days|archived_generations|hourly_(tag_)?latencies|hourly_failures|served_entries|failed_calls|files|batches|batch_lines|upstream_batches|jobs_by_age)(_kept|_rest)?(_pkey|_parts|_live|_due|_expiring|_by_\w+)?\b/;
/** Tables that a later migration divided: what they were is their rest, but for what keeps the ledger append-only. */
const DIVIDED = /^(CREATE|ALTER) .*\b(generations|transfers)/;
const REST = /_rest(?=\b|_)/g;
const APPEND_ONLY = /^CREATE TRIGGER transfers_|FUNCTION transfers_refuse/;
const TABLES = [
  ...["accounts", "api_keys", "asset_groups", "assets", "attempts", "audit_log", "ended_sessions"],
  ...[
    "generations",
    "hourly_sums",
    "hourly_tag_sums",
    "hourly_tag_values",
    "issued_ids",
    "jobs",
    "key_spend",
  ],
  ...["key_use", "leases", "migrations", "models", "outbox", "repeats", "requests", "revisions", "transfers"],
];

/** All rows of the tables that have some, in one order. */
async function rowsOf(database: Database): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of TABLES)
    tables[table] = (await database.execute(`SELECT * FROM ${table}`))
      .map((row) => JSON.stringify(row))
      .sort();
  return tables;
}

const earlierSchema = async (database: Database) =>
  (await describeSchema(database))
    .filter((definition) => !LATER.test(definition) && !APPEND_ONLY.test(definition))
    .filter(
      (definition) =>
        database.dialect === "sqlite" || !DIVIDED.test(definition) || definition.match(REST) !== null,
    )
    .map((definition) => definition.replaceAll(REST, ""));

const definedBefore = ({ dialect }: Database) =>
  definitionsOf(dialect).filter((definition) => !APPEND_ONLY.test(definition));

const inspect = ({ dialect, location }: Database) =>
  inspectDatabase(dialect === "sqlite" ? `sqlite:${location}` : location);

describe.each([
  { dialect: "sqlite", make: makeSqlite },
  { dialect: "postgres", make: makePostgres },
])("a database on $dialect", ({ make }) => {
  let database: Database;
  beforeEach(async () => {
    database = await make();
  });
  afterEach(() => database.drop());

  it("an empty database gets the tables that the 22 earlier migrations made", async () => {
    await (await database.open()).close();
    const expected = definedBefore(database).filter((definition) => !UNUSED.test(definition));
    expect(await earlierSchema(database)).toEqual(expected);
    expect(await database.execute("SELECT subject FROM revisions ORDER BY subject")).toEqual([
      { subject: "catalog" },
      { subject: "keys" },
    ]);
  });

  it("the description of the earlier tables makes them", async () => {
    await makeEarlier(database);
    expect(await describeSchema(database)).toEqual(definitionsOf(database.dialect));
  });

  it("a database of the 22 earlier migrations is opened, and its tables stay as they are", async () => {
    await makeEarlier(database);
    const before = await rowsOf(database);
    for (const [table, rows] of Object.entries(before)) expect(rows.length, table).toBeGreaterThan(0);
    expect(await inspect(database)).toMatchObject({ exists: true, pending: MIGRATIONS.length - 1 });
    const store = await database.open();
    const { migrations, ...after } = await rowsOf(database);
    expect(migrations).toEqual(expect.arrayContaining(before.migrations!));
    expect(after).toEqual({ ...before, migrations: undefined });
    expect(await earlierSchema(database)).toEqual(definedBefore(database));
    expect(await store.isOutdated()).toBe(false);
    await store.close();
  });

  it("a database of the 22 earlier migrations is read and continued", async () => {
    await makeEarlier(database);
    const store = await database.open();
    expect(await store.money.audit()).toEqual([]);
    expect(await store.accounts.get("ada")).toMatchObject({ balance: 999_941, held: 36 });
    expect(await store.accounts.get("grace")).toMatchObject({ isActive: false, balance: 500 });
    expect((await store.accounts.findLogin("ada"))?.account.id).toBe("ada");
    const key = await store.keys.find(lookupHash(KEY));
    expect(key).toMatchObject({ id: "k1", isActive: true, caps: { total: 1_000 } });
    const sealed = await store.keys.sealed({ accountId: "ada", id: "k1" });
    expect(openKey(sealed!, "k1", SEAL)).toBe(KEY);
    expect((await store.money.capStatus("k1", NOW)).total).toMatchObject({ spent: 58 });
    expect(await store.generations.get({ id: "g-done", accountId: "ada" })).toMatchObject({
      cost: 6,
      usage: { input: 1, output: 3 },
      request: { messages: ["Hello"] },
    });
    expect(await store.catalog.list()).toMatchObject([{ id: "m1", revision: 4 }]);
    expect(await store.assets.get({ id: "a1", accountId: "ada" })).toMatchObject({ size: 9 });
    const range = { accountId: "ada", from: 0, to: NOW + 3_600_000, entry: "e-1" };
    expect(sumOf(await store.usage.series(range, { bucket: "day" }))).toMatchObject({ requests: 1, cost: 6 });

    expect(await store.money.recover(NOW)).toEqual({ settled: 1, released: 0 });
    expect(await store.generations.get({ id: "g-open", accountId: "ada" })).toMatchObject({ cost: 10 });
    const terms = { now: NOW, until: NOW + 1, most: 9, kinds: ["video"] } as const;
    const [job] = await store.jobs.claim("worker", terms);
    const ref = { id: "j-live", owner: "worker", attempt: job!.attempt };
    await store.jobs.finish(ref, { at: NOW, state: "succeeded", ending: { cost: 7 } });
    const reservation = makeReservation({ accountId: "ada", keyId: "k1" }, 50, { policy: "strict" });
    const { id } = reservation.generation;
    expect(await store.money.reserve(reservation)).toEqual({ ok: true });
    expect(await store.money.settle({ id, cost: 40, status: "succeeded" })).toEqual({ outcome: "written" });
    expect(await store.money.refund(id, 40, NOW)).toBe(true);
    expect((await store.accounts.get("ada"))?.held).toBe(0);
    expect(await store.money.audit()).toEqual([]);
    await store.close();
  });

  it.each([1, 21])("a database of only %i of the 22 earlier migrations is refused", async (last) => {
    await makeEarlier(database);
    await database.execute(`DELETE FROM migrations WHERE number > ${last}`);
    const before = await rowsOf(database);
    const opening = database.open();
    await expect(opening).rejects.toThrow(MigrationError);
    await expect(opening).rejects.toThrow(
      /^the database has migrations up to \d+ ".+", this program begins with 22; start the program with migrations 1 to 22 once, /,
    );
    expect(await inspect(database)).toMatchObject({ pending: 0, refusal: expect.stringContaining("start") });
    expect(await rowsOf(database)).toEqual(before);
  });
});
