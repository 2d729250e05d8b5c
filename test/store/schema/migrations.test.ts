import { once } from "node:events";
import { MigrationError, StoreUnavailable } from "@manifold-gateway/store";
import Client from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteEngine } from "../../../packages/store/src/engine/sqlite.ts";
import { MIGRATIONS, migrate } from "../../../packages/store/src/migrations/migrate.ts";
import type { Database } from "../databases/database.ts";
import { makePostgres } from "../databases/postgres.ts";
import { makeSqlite } from "../databases/sqlite.ts";
import { NOW } from "../fixtures.ts";
import { startChild } from "../processes.ts";
import { describeSchema } from "./describe.ts";
import { makeEarlier } from "./earlier.ts";
import { migrateWith, STEP } from "./step.ts";

const LATEST = 21 + MIGRATIONS.length;
const NEXT = LATEST + 1;

const last = async (database: Database) => {
  const [row] = await database.execute("SELECT number, name FROM migrations ORDER BY number DESC LIMIT 1");
  return [Number(row?.number), row?.name];
};

describe.each([
  { dialect: "sqlite", make: makeSqlite },
  { dialect: "postgres", make: makePostgres },
])("a migration after the first on $dialect", ({ make }) => {
  let database: Database;
  beforeEach(async () => {
    database = await make();
  });
  afterEach(() => database.drop());

  it("a later migration continues a fresh database and one of the 22 earlier migrations", async () => {
    await makeEarlier(database);
    await migrateWith(database, STEP);
    const pets = await database.execute("SELECT id, age FROM pets ORDER BY id");
    expect(pets.map(({ id, age }) => [id, Number(age)])).toEqual([
      ["ada", 3],
      ["grace", 3],
    ]);
    expect(await last(database)).toEqual([NEXT, "pets"]);
    await migrateWith(database, STEP);
    expect(await last(database)).toEqual([NEXT, "pets"]);

    const fresh = await make();
    await (await fresh.open()).close();
    expect(await last(fresh)).toEqual([LATEST, MIGRATIONS.at(-1)?.name]);
    await migrateWith(fresh, STEP);
    expect(await fresh.execute("SELECT * FROM pets")).toEqual([]);
    expect(await last(fresh)).toEqual([NEXT, "pets"]);
    await fresh.drop();
  });

  it("a database of a program with a later migration is refused", async () => {
    await migrateWith(database, STEP);
    const opening = database.open();
    await expect(opening).rejects.toThrow(MigrationError);
    await expect(opening).rejects.toThrow(
      `the database has migration ${NEXT} "pets", this program knows none after ${LATEST}; use a program at least as new as the database`,
    );
  });

  it("a migration that fails half way leaves nothing behind", async () => {
    await makeEarlier(database);
    const before = await describeSchema(database);
    const failing = {
      ...STEP,
      statements: (spelling: Parameters<typeof STEP.statements>[0]) => [
        ...STEP.statements(spelling),
        "INSERT INTO cats VALUES (1)",
      ],
    };
    const migrating = migrateWith(database, failing);
    await expect(migrating).rejects.toThrow(MigrationError);
    await expect(migrating).rejects.toThrow(new RegExp(`^migration ${NEXT} "pets" failed: .*cats`));
    expect(await describeSchema(database)).toEqual(before);
    expect(await last(database)).toEqual([22, "sums by entry"]);
    await migrateWith(database, STEP);
    expect(await last(database)).toEqual([NEXT, "pets"]);
  });

  it("two processes that migrate at the same time migrate once", async () => {
    await (await database.open()).close();
    const children = await Promise.all([0, 1].map(() => startChild(database, "migrate", {})));
    const lines = Promise.all(children.map((child) => once(child.lines, "line")));
    for (const child of children) child.start();
    expect(await lines).toEqual([["migrated"], ["migrated"]]);
    await Promise.all(children.map((child) => child.ended()));
    expect(await last(database)).toEqual([NEXT, "pets"]);
  });
});

it("a disk that is full undoes a migration, which is made once there is room", async () => {
  const database = await makeSqlite();
  await makeEarlier(database);
  await migrateWith(database);
  const before = await describeSchema(database);
  const client = new Client(database.location);
  client.pragma(`max_page_count = ${Number(client.pragma("page_count", { simple: true })) + 1}`);
  const full = createSqliteEngine({ path: database.location }, undefined, client);
  const large = {
    name: "large",
    statements: () => ["CREATE TABLE large (content TEXT)", "INSERT INTO large VALUES (zeroblob(100000))"],
  };
  const failed = migrate(full, NOW, [...MIGRATIONS, large]);
  await expect(failed).rejects.toThrow(StoreUnavailable);
  await expect(failed).rejects.toThrow(
    new RegExp(`^the store is unavailable: migration ${NEXT} "large" was undone: .*disk is full$`),
  );
  await full.close();
  expect(await describeSchema(database)).toEqual(before);
  expect(await last(database)).toEqual([LATEST, MIGRATIONS.at(-1)?.name]);
  await migrateWith(database, large);
  expect(await last(database)).toEqual([NEXT, "large"]);
  await database.drop();
});
