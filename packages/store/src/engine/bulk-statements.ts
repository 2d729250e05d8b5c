import { type RawBuilder, sql } from "kysely";
import type { Engine, Query, Work } from "./engine.ts";
import { param, prepare, UNREAD } from "./statement.ts";

/** A column of many rows: its name, the member of a row that has its value, and its type. */
export type Column = readonly [name: string, member: string, type: "TEXT" | "BIGINT"];

/** Columns whose values have the same names. */
export const texts = (...names: string[]): Column[] => names.map((name) => [name, name, "TEXT"]);
export const integers = (...names: string[]): Column[] => names.map((name) => [name, name, "BIGINT"]);

type Rows = readonly { id: string }[];

/** The names of columns as a list of SQL. */
export const columnNames = (columns: readonly Column[]) => sql.join(columns.map(([name]) => sql.ref(name)));
/** The values of one row as parameters. */
const parameters = (columns: readonly Column[]) =>
  sql.join(columns.map(([, member]) => sql`${param(member)}`));
/** The rows as parameters of one server statement: each column is sent as an array. */
const arrays = (columns: readonly Column[]) =>
  sql.join(columns.map(([, member, type]) => sql`CAST(${param(member)} AS ${sql.raw(type)}[])`));

/** Transposes rows into one array for each column. */
function transpose(columns: readonly Column[], rows: readonly object[]): Record<string, unknown[]> {
  return Object.fromEntries(
    columns.map(([, member]) => [member, rows.map((row) => (row as Record<string, unknown>)[member])]),
  );
}

/** The work of a statement for given rows: a server runs it once for all of them, SQLite once for each. */
function prepareRows<R>(
  { db, dialect }: Engine,
  columns: readonly Column[],
  statement: RawBuilder<R>,
  options: Pick<Query, "isUnread"> = {},
): (rows: readonly object[]) => Work<R[]> {
  const run = prepare<object, R>(db, statement, options);
  if (dialect.supportsArrays)
    return function* (rows) {
      return rows.length === 0 ? [] : yield* run(transpose(columns, rows));
    };
  return function* (rows) {
    const returned: R[] = [];
    for (const row of rows) returned.push(...(yield* run(row)));
    return returned;
  };
}

/**
 * The work of inserting rows that have an `id`; returns the ids of the new ones. A server gets all rows in one round
 * trip; in SQLite a statement for each row is faster.
 */
export function prepareAdd(
  { db, dialect }: Engine,
  table: string,
  columns: readonly Column[],
): (rows: Rows) => Work<ReadonlySet<string>> {
  const into = sql`INSERT INTO ${sql.table(table)} (${columnNames(columns)})`;
  if (dialect.supportsArrays) {
    const all = prepare<object, { id: string }>(
      db,
      sql`${into} SELECT * FROM unnest(${arrays(columns)}) ON CONFLICT DO NOTHING RETURNING id`,
    );
    return function* (rows) {
      if (rows.length === 0) return new Set();
      return new Set((yield* all(transpose(columns, rows))).map(({ id }) => id));
    };
  }
  const one = prepare<object>(db, sql`${into} VALUES (${parameters(columns)})`);
  return function* (rows) {
    const added = new Set<string>();
    for (const row of rows) {
      try {
        yield* one(row);
        added.add(row.id);
      } catch (error) {
        // Returning the ids would take a third of the time of an insertion, and nearly all are new.
        if ((error as { code?: string }).code !== "SQLITE_CONSTRAINT_PRIMARYKEY") throw error;
      }
    }
    return added;
  };
}

/** The value of a row's member within a statement. */
export type ValueOf = (member: string) => RawBuilder<unknown>;

/**
 * The work of a statement for each given row; returns the rows that these return. `statement` receives the values of a
 * row, and the FROM clause of these values, which it puts before WHERE. A server runs one statement for all of them, so
 * no two may change the same row.
 */
export function prepareEach<R>(
  engine: Engine,
  columns: readonly Column[],
  statement: (value: ValueOf, from: RawBuilder<unknown>) => RawBuilder<R>,
  options: Pick<Query, "isUnread"> = {},
): (rows: readonly object[]) => Work<R[]> {
  const members = sql.join(columns.map(([, member]) => sql.ref(member)));
  const made = engine.dialect.supportsArrays
    ? statement(
        (member) => sql.ref(`news.${member}`),
        sql`FROM unnest(${arrays(columns)}) AS news (${members})`,
      )
    : statement((member) => sql`${param(member)}`, sql``);
  return prepareRows(engine, columns, made, options);
}

/**
 * Splits rows into rounds, none of which has two rows with the same key, and keeps their order: two days of a key share
 * windows, and one statement can change a row only once. Rows without a key are left out.
 */
export function toRounds<Row extends { key: string | null }>(rows: readonly Row[]): Row[][] {
  const rounds: Row[][] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    if (row.key === null) continue;
    const round = seen.get(row.key) ?? 0;
    seen.set(row.key, round + 1);
    if (round === rounds.length) rounds.push([]);
    rounds[round]!.push(row);
  }
  return rounds;
}

/**
 * The work of adding to rows of sums, or creating them. `key` identifies a row, and no two given rows may share it;
 * `zeros` are columns of new rows that are 0. Every process locks the rows in the same order, which prevents deadlocks.
 */
export function prepareSums(
  engine: Engine,
  table: string,
  key: readonly Column[],
  sums: readonly Column[],
  zeros: readonly string[] = [],
): (rows: readonly object[]) => Work<unknown> {
  const columns = [...key, ...sums];
  const more = zeros.map((name) => sql`, ${sql.ref(name)}`);
  const nothing = sql.join(
    zeros.map(() => sql`, 0`),
    sql``,
  );
  const into = sql`INSERT INTO ${sql.table(table)} (${columnNames(columns)}${sql.join(more, sql``)})`;
  const added = sql.join(
    sums.map(([name]) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + excluded.${sql.ref(name)}`),
  );
  const onConflict = sql`ON CONFLICT (${columnNames(key)}) DO UPDATE SET ${added}`;
  const order = sql.join(key.map((_, at) => sql.lit(at + 1)));
  const from = engine.dialect.supportsArrays
    ? sql`SELECT *${nothing} FROM unnest(${arrays(columns)}) ORDER BY ${order}`
    : sql`VALUES (${parameters(columns)}${nothing})`;
  return prepareRows(engine, columns, sql`${into} ${from} ${onConflict}`, UNREAD);
}
