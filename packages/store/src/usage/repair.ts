import { type RawBuilder, sql } from "kysely";
import { REMOVED_UNTIL } from "../archive/removed.ts";
import type { Dialect } from "../engine/dialect.ts";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import { fillings, hoursOf, tagHoursOf } from "./recount.ts";
import { SUMS } from "./sums.ts";
import { uncounted, valuesOf } from "./tag-rows.ts";

interface Finding {
  subject: string;
  expected: string;
  actual: string;
}

/** All sums of a row as one text, to compare rows. */
const sumsOf = (row: string) =>
  sql.raw(SUMS.map((name) => `CAST(${row}.${name} AS TEXT)`).join(" || ' ' || "));
/** The requests and the cost of one side, as one text. */
const sums = (side: string) => {
  const total = (name: string) =>
    sql`CAST(SUM(CASE side WHEN ${sql.lit(side)} THEN ${sql.ref(name)} ELSE 0 END) AS TEXT)`;
  return sql`${total("requests")} || ' ' || ${total("cost")}`;
};
const NOTHING = SUMS.map(() => "0").join(" ");
/** The tables of sums. */
const TABLES = [
  ...["hourly_sums", "hourly_tag_values", "hourly_tag_sums"],
  ...["hourly_latencies", "hourly_tag_latencies"],
];
const PARTS = ["account_id", "hour", "key_id", "model", "modality", "status", "surface", "entry"];

/**
 * Finds rows of a table of sums that differ from their generations. Both sides are grouped together, because SQLite
 * would compare each row of a full join with every other.
 */
const differing = (table: string, parts: readonly string[], hours: string) => {
  const columns = sql.raw(parts.join(", "));
  const of = (side: string) =>
    sql`COALESCE(MAX(CASE side WHEN ${sql.lit(side)} THEN sums END), ${sql.lit(NOTHING)})`;
  return sql<Finding>`SELECT * FROM (
      SELECT account_id || ' ' || CAST(hour AS TEXT) AS subject, ${of("generations")} AS expected,
        ${of("hours")} AS actual
      FROM (
        SELECT ${columns}, 'hours' AS side, ${sumsOf("h")} AS sums FROM ${sql.table(table)} AS h
          WHERE h.hour >= ${sql.raw(REMOVED_UNTIL)}
        UNION ALL SELECT ${columns}, 'generations', ${sumsOf("g")} FROM (${sql.raw(hours)}) AS g) AS sides
      GROUP BY ${columns}) AS both_sides
    WHERE expected <> actual`;
};

/**
 * Compares the hourly sums of removed months with the stored totals of these months: series of them have no other
 * source.
 */
const differingRemoved = sql<Finding>`SELECT * FROM (
    SELECT account_id || ' ' || key_id AS subject,
      ${sums("archive")} AS expected, ${sums("hours")} AS actual
    FROM (
      SELECT account_id, key_id, 'hours' AS side, requests, cost FROM hourly_sums
        WHERE hour < ${sql.raw(REMOVED_UNTIL)}
      UNION ALL SELECT account_id, key_id, 'archive', requests, cost FROM archived_days
      UNION ALL SELECT account_id, COALESCE(key_id, ''), 'archive', 1, COALESCE(cost, 0) FROM generations
        WHERE status <> 'pending' AND created_at < ${sql.raw(REMOVED_UNTIL)}) AS sides
    GROUP BY account_id, key_id) AS both_sides
  WHERE expected <> actual`;

/** One query for each invariant of the hourly sums; it returns the rows that break it. */
export const hourChecks = (
  dialect: Dialect,
): (readonly [invariant: string, query: RawBuilder<Finding>])[] => [
  ["the sums of an hour are those of its generations", differing("hourly_sums", PARTS, hoursOf(dialect))],
  ["the sums of hours of removed months are those of their archives", differingRemoved],
  ["a tag is counted where its hour has room for it", uncounted(dialect)],
  [
    "the sums of a tag are those of its generations",
    differing("hourly_tag_sums", [...PARTS, "name", "value"], tagHoursOf(dialect)),
  ],
];

/**
 * Recomputes all hourly sums and latencies from the generations if any sum differs, and returns how many did. Sums can
 * lack generations that a process of an older version wrote during an update. No money depends on the sums.
 */
export function createRepair(engine: Engine): () => Promise<number> {
  const { db, dialect } = engine;
  const execute = (text: string) => run({ sql: text, parameters: [] });
  return () =>
    engine.write(
      function* () {
        // Ends are written together with their sums: the lock keeps any from being counted twice or lost meanwhile.
        const lock = dialect.locks.tables?.(...TABLES);
        if (lock) yield* run(lock.compile(db));
        let count = 0;
        for (const [, query] of hourChecks(dialect)) count += (yield* run(query.compile(db))).length;
        if (count === 0) return 0;
        for (const table of TABLES) yield* execute(`DELETE FROM ${table} WHERE hour >= ${REMOVED_UNTIL}`);
        yield* execute(`INSERT INTO hourly_tag_values (account_id, hour, name, value) ${valuesOf(dialect)}`);
        for (const filling of fillings(dialect)) yield* execute(filling);
        return count;
      },
      { isUnlimited: true },
    );
}
