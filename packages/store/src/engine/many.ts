import { type RawBuilder, sql } from "kysely";
import type { Engine, Query, Work } from "./engine.ts";
import { param, prepare, UNASKED } from "./statement.ts";

/** A column of many rows: its name, the member of a row that it is taken from, and its type. */
export type Column = readonly [name: string, member: string, type: "TEXT" | "BIGINT"];

type Rows = readonly { id: string }[];

const names = (columns: readonly Column[]) => sql.join(columns.map(([name]) => sql.ref(name)));
/** The rows as a table of a server's statement: each column travels as an array. */
const arrays = (columns: readonly Column[]) =>
  sql.join(columns.map(([, member, type]) => sql`CAST(${param(member)} AS ${sql.raw(type)}[])`));

/** The values of rows, column by column. */
function turn(columns: readonly Column[], rows: readonly object[]): Record<string, unknown[]> {
  return Object.fromEntries(
    columns.map(([, member]) => [member, rows.map((row) => (row as Record<string, unknown>)[member])]),
  );
}

/**
 * The work of adding rows that have an `id`; gives the ids of those that were not there, or none where it `isUnasked`.
 * On a server it is one round trip for all of them; in a file a statement for each is faster.
 */
export function prepareAdd(
  { db, dialect }: Engine,
  table: string,
  columns: readonly Column[],
  options: Pick<Query, "isUnasked"> = {},
): (rows: Rows) => Work<ReadonlySet<string>> {
  const into = sql`INSERT INTO ${sql.table(table)} (${names(columns)})`;
  if (dialect === "postgres") {
    const all = prepare<object, { id: string }>(
      db,
      sql`${into} SELECT * FROM unnest(${arrays(columns)}) ON CONFLICT (id) DO NOTHING
        ${options.isUnasked ? sql`` : sql`RETURNING id`}`,
      options,
    );
    return function* (rows) {
      if (rows.length === 0) return new Set();
      return new Set((yield* all(turn(columns, rows))).map(({ id }) => id));
    };
  }
  const one = prepare<object>(
    db,
    sql`${into} VALUES (${sql.join(columns.map(([, member]) => sql`${param(member)}`))})`,
  );
  return function* (rows) {
    const added = new Set<string>();
    for (const row of rows) {
      try {
        yield* one(row);
        added.add(row.id);
      } catch (error) {
        // To have the ids returned takes a third of the time of an insertion, and nearly all are new.
        if ((error as { code?: string }).code !== "SQLITE_CONSTRAINT_PRIMARYKEY") throw error;
      }
    }
    return added;
  };
}

/** The work of changing rows by their `id`, where a condition holds; gives the ids of those that were changed. */
export function prepareChange(
  { db, dialect }: Engine,
  table: string,
  columns: readonly Column[],
  {
    set,
    where,
  }: Record<"set" | "where", (value: (member: string) => RawBuilder<unknown>) => RawBuilder<unknown>>,
): (rows: Rows) => Work<ReadonlySet<string>> {
  const target = sql.table(table);
  if (dialect === "postgres") {
    const value = (member: string) => sql.ref(`news.${member}`);
    const members = sql.join(columns.map(([, member]) => sql.ref(member)));
    const all = prepare<object, { id: string }>(
      db,
      sql`UPDATE ${target} SET ${set(value)} FROM unnest(${arrays(columns)}) AS news (${members})
        WHERE ${target}.id = news.id AND ${where(value)} RETURNING ${target}.id`,
    );
    return function* (rows) {
      if (rows.length === 0) return new Set();
      return new Set((yield* all(turn(columns, rows))).map(({ id }) => id));
    };
  }
  const value = (member: string) => sql`${param(member)}`;
  const one = prepare<object, { id: string }>(
    db,
    sql`UPDATE ${target} SET ${set(value)} WHERE id = ${param("id")} AND ${where(value)} RETURNING id`,
  );
  return function* (rows) {
    const changed = new Set<string>();
    for (const row of rows) if ((yield* one(row)).length > 0) changed.add(row.id);
    return changed;
  };
}

/**
 * The work of adding to sums, or beginning them: `key` tells rows apart, and no two rows may have the same. Rows are
 * taken in one order by everybody, so that nobody waits for a row while another waits for theirs.
 */
export function prepareSums(
  { db, dialect }: Engine,
  table: string,
  key: readonly Column[],
  sums: readonly Column[],
): (rows: readonly object[]) => Work<void> {
  const columns = [...key, ...sums];
  const into = sql`INSERT INTO ${sql.table(table)} (${names(columns)})`;
  const added = sql.join(
    sums.map(([name]) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + excluded.${sql.ref(name)}`),
  );
  const onConflict = sql`ON CONFLICT (${names(key)}) DO UPDATE SET ${added}`;
  if (dialect === "postgres") {
    const order = sql.join(key.map((_, at) => sql.lit(at + 1)));
    const all = prepare<object>(
      db,
      sql`${into} SELECT * FROM unnest(${arrays(columns)}) ORDER BY ${order} ${onConflict}`,
      UNASKED,
    );
    return function* (rows) {
      if (rows.length > 0) yield* all(turn(columns, rows));
    };
  }
  const one = prepare<object>(
    db,
    sql`${into} VALUES (${sql.join(columns.map(([, member]) => sql`${param(member)}`))}) ${onConflict}`,
  );
  return function* (rows) {
    for (const row of rows) yield* one(row);
  };
}
