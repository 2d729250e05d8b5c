import { sql } from "kysely";
import type { Definitions, PartitionRange, PartitionStatements } from "./dialect.ts";

/** A table with the columns and constraints of another, and without its rows and indexes. */
const like = (name: string, table: string): string =>
  `CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`;

/** The trigger of an append-only table that its partitions do not get from it. */
export const noTruncate = (table: string, name: string): string =>
  `CREATE TRIGGER ${name}_no_truncate BEFORE TRUNCATE ON ${name}
         FOR EACH STATEMENT EXECUTE FUNCTION ${table}_refuse()`;

/** Attaching locks readers out of the new partition and the rest only; CREATE TABLE … PARTITION OF out of all. */
const attach = (parent: string, name: string, { from, to }: PartitionRange): string =>
  `ALTER TABLE ${parent} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`;

/** The default partition takes the rows of all ranges that have none, so that a missing one fails no request. */
export const divide: Definitions["divide"] = ({ name, key, column, indexes }) => [
  `ALTER TABLE ${name} RENAME TO ${name}_rest`,
  `ALTER INDEX ${name}_pkey RENAME TO ${name}_rest_pkey`,
  ...Object.keys(indexes).map((index) => `ALTER INDEX ${index} RENAME TO ${index}_rest`),
  `${like(name, `${name}_rest`)} PARTITION BY RANGE (${column})`,
  `ALTER TABLE ${name} ADD PRIMARY KEY (${key})`,
  ...Object.entries(indexes).map(([index, rest]) => `CREATE INDEX ${index} ON ${name} ${rest}`),
  `ALTER TABLE ${name} ATTACH PARTITION ${name}_rest DEFAULT`,
];

/** Moves rows; triggers of an append-only table let none be deleted. */
const move = (from: string, to: string, { column, ...range }: PartitionRange): string[] => [
  `ALTER TABLE ${from} DISABLE TRIGGER USER`,
  `WITH moved AS (DELETE FROM ${from} WHERE ${column} >= ${range.from} AND ${column} < ${range.to} RETURNING *)
    INSERT INTO ${to} SELECT * FROM moved`,
  `ALTER TABLE ${from} ENABLE TRIGGER USER`,
];

/** A violated check constraint, and a lock that was not available in time. */
const VIOLATION = "23514";
const LOCKED = "55P03";

export const postgresPartitions: PartitionStatements = {
  begin: "SET LOCAL lock_timeout = '300ms'",
  tryLock: (number) => sql`SELECT pg_try_advisory_xact_lock(${number}) AS "isLocked"`,
  list: (table) =>
    sql`SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = to_regclass(${table}) ORDER BY relname`,
  size: (table) => sql`SELECT pg_total_relation_size(to_regclass(${table})) AS bytes`,
  exclusions: (table) =>
    sql`SELECT conname AS name, CASE WHEN convalidated THEN 1 ELSE 0 END AS "isChecked" FROM pg_constraint
      WHERE conrelid = to_regclass(${table}) AND conname ~ '_ends_[0-9]{4}_[0-9]{2}$'`,
  exclude: (table, constraint, ranges) => {
    const outside = ranges.map(({ column, from, to }) => `(${column} < ${from} OR ${column} >= ${to})`);
    return `ALTER TABLE ${table} ADD CONSTRAINT ${constraint} CHECK (${outside.join(" AND ")}) NOT VALID`;
  },
  check: (table, constraint) => `ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint}`,
  isViolation: (error) => (error as { code?: unknown }).code === VIOLATION,
  isLocked: (error) => (error as { code?: unknown }).code === LOCKED,
  sleep: (seconds) => `SELECT pg_sleep(${seconds})`,
  self: sql`SELECT pg_backend_pid() AS id`,
  cancel: (id) => sql`SELECT pg_cancel_backend(${id})`,
  include: (table, constraint) => `ALTER TABLE ${table} DROP CONSTRAINT ${constraint}`,
  addDivided: (parent, { name, table, isAppendOnly, ...range }) => [
    `${like(name, parent)} PARTITION BY RANGE (${range.column})`,
    `CREATE TABLE ${name}_rest PARTITION OF ${name} DEFAULT`,
    ...(isAppendOnly ? [noTruncate(table, `${name}_rest`)] : []),
    attach(parent, name, range),
  ],
  add: (parent, { name, table, isAppendOnly, ...range }, rest) => [
    like(name, parent),
    ...(rest === undefined ? [] : move(rest, name, range)),
    ...(isAppendOnly ? [noTruncate(table, name)] : []),
    attach(parent, name, range),
  ],
  remove: (parent, name) => [`ALTER TABLE ${parent} DETACH PARTITION ${name}`, `DROP TABLE ${name}`],
};
