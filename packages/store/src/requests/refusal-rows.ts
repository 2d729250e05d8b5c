import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { type Column, integers, prepareAdd, prepareEach, texts } from "../engine/bulk-statements.ts";
import type { Dialect } from "../engine/dialect.ts";
import { DAY } from "../engine/durations.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { idAt } from "../engine/id-time.ts";
import { param, prepare, run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { hasOneOf, isLineOf, type OneOf } from "../usage/generation-filter.ts";
import type { CountFilter, RefusalCount, RefusalFilter, RefusalSum, RefusedRequest } from "./refusals.ts";

/** The number of rows that are kept for an account. */
export const KEPT = 1_000;

/** The refusals of one hour, key and code that one process counted. */
export interface CountRow {
  account: string;
  hour: number;
  /** Empty for sessions. */
  key: string;
  code: string;
  part: string;
  count: number;
}

const ROW: readonly Column[] = [
  ...texts("id"),
  ["account_id", "accountId", "TEXT"],
  ["key_id", "key", "TEXT"],
  ["created_at", "at", "BIGINT"],
  ...texts("code"),
  ...integers("status"),
  ...texts("sentence", "surface", "model"),
  ["request_id", "request", "TEXT"],
];
const COUNT: readonly Column[] = [
  ["account_id", "account", "TEXT"],
  ...integers("hour"),
  ["key_id", "key", "TEXT"],
  ...texts("code", "part"),
  ...integers("count"),
];

/** The work of writing rows and counts. Done twice, it changes nothing more. */
export function prepareWrite(
  engine: Engine,
): (rows: readonly RefusedRequest[], counts: readonly CountRow[]) => Work<void> {
  const add = prepareAdd(engine, "refusals", ROW);
  const names = sql.join(COUNT.map(([name]) => sql.ref(name)));
  const count = prepareEach(
    engine,
    COUNT,
    (value, from) => sql`INSERT INTO hourly_refusals (${names})
      SELECT ${sql.join(COUNT.map(([, member]) => value(member)))} ${from} WHERE TRUE
      ON CONFLICT (account_id, hour, key_id, code, part) DO UPDATE SET count = excluded.count`,
  );
  const trim = prepare<{ account: string }>(
    engine.db,
    sql`DELETE FROM refusals WHERE account_id = ${param("account")} AND id <
      (SELECT id FROM refusals WHERE account_id = ${param("account")} ORDER BY id DESC LIMIT 1 OFFSET ${sql.lit(KEPT - 1)})`,
  );
  return function* (rows, counts) {
    yield* add(
      rows.map((row) => ({
        ...row,
        key: row.keyId ?? null,
        sentence: row.sentence ?? null,
        model: row.model ?? null,
      })),
    );
    yield* count(counts);
    // Sorted, so that two processes lock rows in the same order.
    for (const account of [...new Set(rows.map(({ accountId }) => accountId))].sort())
      yield* trim({ account });
  };
}

/** A condition that a filter may have, with one value or several. */
const conditionOf = (
  column: string,
  value: OneOf<string> | undefined,
  dialect: Dialect,
): RawBuilder<SqlBool>[] => (value === undefined ? [] : [hasOneOf(column, value, dialect)]);

/** The conditions on rows; the time is the beginning of their ids, which an index has in order. */
function meets(
  row: ExpressionBuilder<Tables, "refusals">,
  filter: RefusalFilter & { before?: string | undefined },
  dialect: Dialect,
) {
  const { accountId, keyId, code, request, batch, model, surface, from, to, before } = filter;
  return row.and([
    ...(accountId === undefined ? [] : [row("account_id", "=", accountId)]),
    ...conditionOf("key_id", keyId, dialect),
    ...conditionOf("model", model, dialect),
    ...(surface === undefined ? [] : [row("surface", "=", surface)]),
    ...(code === undefined ? [] : [row("code", "=", code)]),
    ...(request === undefined ? [] : [row("request_id", "=", request)]),
    ...(batch === undefined ? [] : [isLineOf(batch, sql.ref("request_id"))]),
    ...(from === undefined ? [] : [row("id", ">=", idAt(from))]),
    ...(to === undefined ? [] : [row("id", "<", idAt(to))]),
    ...(before === undefined ? [] : [row("id", "<", before)]),
  ]);
}

/** The work of reading rows, newest first. */
export function* readRows(
  { db, dialect }: Engine,
  filter: RefusalFilter,
  { before, limit }: { before?: string; limit: number },
): Work<RefusedRequest[]> {
  const rows = yield* run(
    db
      .selectFrom("refusals")
      .selectAll()
      .where((row) => meets(row, { ...filter, before }, dialect))
      .orderBy("id", "desc")
      .limit(limit),
  );
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    ...(row.key_id !== null && { keyId: row.key_id }),
    at: row.created_at,
    code: row.code,
    status: row.status,
    ...(row.sentence !== null && { sentence: row.sentence }),
    surface: row.surface,
    ...(row.model !== null && { model: row.model }),
    request: row.request_id,
  }));
}

/** The most sums that are read at one time. */
const SUMS = 10_000;

/** Selects counts. */
function countsOf(
  { db, dialect }: Engine,
  { accountId, keyId, code, from = 0, to = Date.now() + DAY }: CountFilter,
) {
  return db
    .selectFrom("hourly_refusals")
    .where("hour", ">=", from)
    .where("hour", "<", to)
    .where((row) =>
      row.and([
        ...(accountId === undefined ? [] : [row("account_id", "=", accountId)]),
        ...(code === undefined ? [] : [row("code", "=", code)]),
        ...conditionOf("key_id", keyId, dialect),
      ]),
    );
}

/** How sums are split, and cut by time. */
export interface SumForm {
  by?: "key" | "account";
  bucket?: "hour" | "day";
}

/** The work of reading sums of the counts. */
export function readSums(engine: Engine, filter: CountFilter, { by, bucket }: SumForm): Work<RefusalSum[]> {
  const at =
    bucket === "hour" ? sql`hour` : bucket === "day" ? sql`hour - hour % ${sql.lit(DAY)}` : sql.lit(0);
  const name = by === "key" ? sql.ref("key_id") : by === "account" ? sql.ref("account_id") : sql`''`;
  return run(
    countsOf(engine, filter)
      .select([
        sql<number>`${at}`.as("at"),
        sql<string>`${name}`.as("name"),
        sql<number>`CAST(SUM(count) AS BIGINT)`.as("count"),
      ])
      .groupBy([sql`1`, sql`2`])
      .orderBy(sql`1`),
  );
}

/** The work of reading the counts of an hour, a key and a code, in the order of time. */
export function* readCounts(engine: Engine, filter: CountFilter): Work<RefusalCount[]> {
  const rows = yield* run(
    countsOf(engine, filter)
      .select(["hour", "key_id", "code", sql<number>`CAST(SUM(count) AS BIGINT)`.as("total")])
      .groupBy(["hour", "key_id", "code"])
      .orderBy("hour")
      .orderBy("key_id")
      .orderBy("code")
      .limit(SUMS),
  );
  return rows.map(({ hour, key_id, code, total }) => ({
    hour,
    ...(key_id !== "" && { keyId: key_id }),
    code,
    count: Number(total),
  }));
}
