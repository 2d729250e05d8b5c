import { sql } from "kysely";
import type { Dialect } from "./dialect.ts";

const member = (column: string, name: string): string => `json_extract(${column}, '$.${name}')`;
const typeOf = (column: string, name: string): string => `json_type(${column}, '$.${name}')`;

/** A trigger that refuses a change of rows; `when` limits it to some rows. */
const refuse = (table: string, change: "UPDATE" | "DELETE", when = ""): string =>
  `CREATE TRIGGER ${table}_no_${change.toLowerCase()} BEFORE ${change} ON ${table} ${when && `WHEN ${when}`}
   BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`;

export const sqliteDialect: Dialect = {
  supportsArrays: false,
  supportsPipelining: false,
  // One thread reads all reports, piece by piece in turn.
  reportMs: 25,
  // One connection writes at a time.
  locks: { shared: sql``, exclusive: sql``, skipLocked: sql`` },
  json: {
    member,
    memberByName: (column, name) => sql`json_extract(${sql.ref(column)}, ${`$."${name}"`})`,
    count: (column, name) =>
      `CASE WHEN ${typeOf(column, name)} = 'integer' AND ${member(column, name)} >= 0
        THEN ${member(column, name)} ELSE 0 END`,
    number: (column, name) =>
      `CASE WHEN ${typeOf(column, name)} IN ('integer', 'real') AND ${member(column, name)} >= 0
        THEN ${member(column, name)} END`,
    entries: (column, alias) => `json_each(${column}) AS ${alias}`,
  },
  definitions: {
    integer: "INTEGER",
    strict: "STRICT",
    clustered: "STRICT, WITHOUT ROWID",
    appendOnly: (table, isKept) => [refuse(table, "UPDATE"), refuse(table, "DELETE", isKept)],
    dropAppendOnly: (table) => [`DROP TRIGGER ${table}_no_update`, `DROP TRIGGER ${table}_no_delete`],
    appendOnlyUnless: (table, isRemovable) => [
      refuse(table, "UPDATE"),
      refuse(table, "DELETE", `NOT (${isRemovable})`),
    ],
    replaceRemovable: (table, isRemovable) => [
      `DROP TRIGGER ${table}_no_delete`,
      refuse(table, "DELETE", `NOT (${isRemovable})`),
    ],
    divide: () => [],
  },
  isOneOf: (column, texts) =>
    sql`${sql.ref(column)} IN (SELECT value FROM json_each(${JSON.stringify(texts)}))`,
  joined: (value) => `group_concat(${value}, ' ')`,
};
