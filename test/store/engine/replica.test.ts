import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Engine, Work } from "../../../packages/store/src/engine/engine.ts";
import { inspectReader } from "../../../packages/store/src/engine/inspect-reader.ts";
import { createPostgresEngine } from "../../../packages/store/src/engine/postgres.ts";
import { delayOf } from "../../../packages/store/src/engine/replica-delay.ts";
import { checkReplica } from "../../../packages/store/src/engine/replica-place.ts";
import type { Database } from "../databases/database.ts";
import { copyPostgres, makePostgres } from "../databases/postgres.ts";
import { openWay, type Way } from "../databases/way.ts";

it("the delay of a replica is never less than what it lacks, and little more where samples are close", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(50), { minLength: 1, maxLength: 40 }),
      fc.nat(40),
      fc.nat(100),
      (writes, lag, since) => {
        // Each ms of the clock one sample is taken, and then some bytes are written.
        let written = 0;
        const samples = writes.map((bytes, at) => {
          const position = written;
          written += bytes;
          return { at, position };
        });
        const reached = Math.max(0, samples.length - 1 - lag);
        const now = samples.length - 1 + since;
        const delay = delayOf(samples, samples[reached]!.position, now)!;
        expect(delay).toBeLessThanOrEqual(now - reached);
        // All that was committed `delay` ago is there.
        const then = samples.findLast(({ at }) => at <= now - delay)!;
        expect(then.position).toBeLessThanOrEqual(samples[reached]!.position);
      },
    ),
  );
  expect(delayOf([{ at: 5, position: 10 }], 9, 6)).toBeUndefined();
});

/** What may be read from a replica: records, sums, lists of movements and of refusals. */
const DELAYED = [
  "accounts/ledger.ts",
  "requests/refusals.ts",
  ...["generations", "ranking", "read-series", "series", "summed", "totals", "walk"].map(
    (name) => `usage/${name}.ts`,
  ),
];

it("nothing that decides about money reads from a replica", () => {
  const root = join(import.meta.dirname, "../../../packages/store/src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.startsWith("engine/"),
  );
  const using = files.filter((file) => /\bdelayed\b/.test(readFileSync(join(root, file), "utf8")));
  expect(using.map((file) => relative(root, join(root, file))).sort()).toEqual(DELAYED.toSorted());
});

let database: Database;
let way: Way;
let engine: Engine;
const log: string[] = [];
/** The server once more, which takes itself for a replica that has replayed as much as a table says. */
const replayed = (position: string) => database.execute(`UPDATE replayed SET position = '${position}'`);
beforeAll(async () => {
  database = await makePostgres();
  await database.execute("CREATE TABLE replayed (position pg_lsn)");
  await database.execute("INSERT INTO replayed VALUES ('0/0')");
  const replace = (name: string, type: string, body: string) =>
    database.execute(`CREATE FUNCTION ${name}() RETURNS ${type} LANGUAGE sql AS $$ ${body} $$`);
  await replace("pg_is_in_recovery", "boolean", "SELECT true");
  await replace("pg_last_wal_replay_lsn", "pg_lsn", "SELECT position FROM replayed");
  way = await openWay(database.location);
  const reader = new URL(way.url);
  reader.searchParams.set("options", `${reader.searchParams.get("options")},pg_catalog`);
  reader.searchParams.set("application_name", "reader");
  engine = createPostgresEngine(
    { url: database.location, reader: { url: reader.href, maxDelayMs: 2_000 } },
    undefined,
    { warn: (_, message) => void log.push(message) },
  );
});
afterAll(async () => {
  await engine?.close();
  await way?.cut();
  await database?.drop();
});

const place = function* (): Work<string> {
  const [row] = yield { sql: "SELECT current_setting('application_name') AS name", parameters: [] };
  return (row as { name: string }).name;
};

it("reports come from a replica that is near, and from the primary while it is behind or away", async () => {
  const primary = await engine.report(place);
  const where = () => engine.delayed(place);
  const patience = { timeout: 20_000 };
  expect(await where()).toBe(primary);
  await replayed("FFFFF/0");
  await expect.poll(where, patience).toBe("reader");
  expect(engine.reader!.delayMs()).toBeLessThanOrEqual(2_000);
  await replayed("0/0");
  await expect.poll(where, patience).toBe(primary);
  expect(engine.reader!.delayMs()).toBeUndefined();
  await replayed("FFFFF/0");
  await expect.poll(where, patience).toBe("reader");
  await way.cut();
  expect(await where()).toBe(primary);
  await way.mend();
  await expect.poll(where, patience).toBe("reader");
  const away = "reports come from the primary: the replica is away or behind";
  const back = "reports come from the replica again";
  expect(log).toEqual([away, back, away, back]);
});

it("another database on the same server is no replica, though its log is as far", async () => {
  const other = await copyPostgres();
  const lines: [unknown, string][] = [];
  const reader = { url: other.location, maxDelayMs: 2_000 };
  const apart = createPostgresEngine({ url: database.location, reader }, undefined, {
    warn: (fields, message) => void lines.push([fields, message]),
  });
  await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(1);
  expect(await apart.delayed(place)).toBe(await apart.report(place));
  await apart.close();
  expect(lines).toEqual([
    [
      { error: "it has another database than store.url, and is no replica of it" },
      "reports come from the primary: the reader is no replica of it",
    ],
  ]);
  expect(await inspectReader(database.location, other.location)).toMatchObject({
    refusal: expect.stringContaining("another database"),
  });
  expect(await inspectReader(database.location, database.location)).toEqual({ isPrimary: true });
  await other.drop();
});

it("a former replica that has become a primary is none, and the primary itself may be read", () => {
  const primary = { database: "7/16385", schema: "2200", startedAt: "1.5" };
  expect(() => checkReplica({ ...primary, startedAt: null }, primary)).not.toThrow();
  expect(() => checkReplica(primary, primary)).not.toThrow();
  expect(() => checkReplica({ ...primary, startedAt: "2.5" }, primary)).toThrow("a primary of its own");
  expect(() => checkReplica({ ...primary, database: "8/16385", startedAt: null }, primary)).toThrow(
    "another database",
  );
});

it("another schema of the same database is no replica", async () => {
  const [first, second, bare] = [await makePostgres(), await makePostgres(), await makePostgres()];
  const another = { refusal: expect.stringContaining("another schema"), isPrimary: false };
  // Before its first start the database has no tables.
  expect(await inspectReader(bare.location, bare.location)).toEqual({ isPrimary: true });
  for (const { open } of [first, second]) await (await open()).close();
  expect(await inspectReader(first.location, first.location)).toEqual({ isPrimary: true });
  expect(await inspectReader(first.location, second.location)).toEqual(another);
  expect(await inspectReader(first.location, bare.location)).toEqual(another);
  for (const { drop } of [first, second, bare]) await drop();
});
