import { MigrationError, moveToPostgres } from "@manifold-gateway/store";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "./databases/database.ts";
import { makePostgres } from "./databases/postgres.ts";
import { makeSqlite } from "./databases/sqlite.ts";
import { makeCaller, makeReservation } from "./fixtures.ts";
import { makeEarlier } from "./schema/earlier.ts";

let source: Database;
let target: Database;
beforeAll(async () => {
  [source, target] = [await makeSqlite(), await makePostgres()];
});
afterAll(() => Promise.all([source.drop(), target.drop()]));

const copied = () => Array.fromAsync(moveToPostgres(source.location, target.location));
const totalOf = (table: string) => target.execute(`SELECT COUNT(*)::int AS total FROM ${table}`);

/** All rows of a table, in one order, with numbers as texts. */
async function rowsOf({ execute }: Database, table: string): Promise<string[]> {
  const rows = await execute(`SELECT * FROM ${table}`);
  const toText = (row: Record<string, unknown>) =>
    JSON.stringify(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]));
  return rows.map(toText).sort();
}

it("every row of every table is copied, and the books of the copy are those of the file", async () => {
  await makeEarlier(source);
  await expect(copied()).rejects.toThrow("migrations: start this program on it once");
  const store = await source.open();
  await expect(copied()).rejects.toThrow(/^process \d+ on [^/ ]+ has open requests: stop it/);
  await store.money.recover(Date.now());
  await expect(copied()).rejects.toThrow(/^process \d+ on [^/ ]+ uses the database: stop it/);
  const caller = await makeCaller(store, { credit: 1_000 });
  for (const month of [0, 1, 2]) {
    const at = Date.now() - month * 31 * 86_400_000;
    const made = makeReservation(caller, 50, { at });
    const id = at.toString(16).padStart(12, "0") + "ab".repeat(10);
    await store.money.reserve({ ...made, generation: { ...made.generation, id } });
    await store.money.settle({ id, cost: 20 + month, status: "succeeded" });
  }
  const found = await store.money.audit();
  await store.close();

  const tables = await copied();
  expect(tables.length).toBeGreaterThan(30);
  for (const { table, rows } of tables) {
    const wanted = await rowsOf(source, table);
    expect([table, rows]).toEqual([table, wanted.length]);
    // Opening the target has written nothing that the copy kept.
    expect([table, await rowsOf(target, table)]).toEqual([table, wanted]);
  }
  expect(await totalOf("generations_rest")).not.toEqual(await totalOf("generations"));
  const moved = await target.open();
  expect(await moved.money.audit()).toEqual(found);
  await moved.close();
  await expect(copied()).rejects.toThrow(/^accounts has rows already; an empty database is wanted$/);
});

it("a copy during which a server wrote to the file is refused, and leaves the target empty", async () => {
  const other = await makePostgres();
  const moving = async () => {
    for await (const { table } of moveToPostgres(source.location, other.location))
      if (table === "generations") await source.execute("UPDATE accounts SET name = 'Grace'");
  };
  await expect(moving()).rejects.toThrow("a server wrote to the file meanwhile");
  expect(await other.execute("SELECT COUNT(*)::int AS total FROM accounts")).toEqual([{ total: 0 }]);
  await other.drop();
});

it("a copy that ends early leaves the target empty", async () => {
  const other = await makePostgres();
  for await (const { table } of moveToPostgres(source.location, other.location))
    if (table === "generations") break;
  expect(await other.execute("SELECT COUNT(*)::int AS total FROM accounts")).toEqual([{ total: 0 }]);
  await expect(Array.fromAsync(moveToPostgres(`${source.location}-none`, other.location))).rejects.toThrow(
    MigrationError,
  );
  await other.drop();
});
