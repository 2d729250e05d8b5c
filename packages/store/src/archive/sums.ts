import { type RawBuilder, sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import type { Month } from "../engine/month.ts";
import { run } from "../engine/statement.ts";
import { boundsOf, isOfMonth } from "./scan.ts";

/** The number of records, and their cost. */
export interface RecordSums {
  records: number;
  cost: number;
}

/** Sums by account. */
type ByAccount = Map<string, RecordSums>;

/** The most accounts in one statement, whose rows an index finds. */
const ACCOUNTS = 500;

type Row = { account: string } & RecordSums;

const total = (value: RawBuilder<unknown>) => sql`CAST(COALESCE(SUM(${value}), 0) AS BIGINT)`;

const toMap = (rows: readonly Row[]): ByAccount =>
  new Map(rows.map(({ account, records, cost }) => [account, { records, cost }]));

/** The totals of a month by the hourly sums. */
export async function hourlyTotals({ db, dialect, report }: Engine, month: Month): Promise<ByAccount> {
  const { from, to } = boundsOf(month);
  const ids = (await report(() => run(db.selectFrom("accounts").select("id")))).map(({ id }) => id);
  const rows: Row[] = [];
  for (let at = 0; at < ids.length; at += ACCOUNTS) {
    const some = ids.slice(at, at + ACCOUNTS);
    const query =
      sql<Row>`SELECT account_id AS account, ${total(sql`requests`)} AS records, ${total(sql`cost`)} AS cost
      FROM hourly_sums WHERE ${dialect.isOneOf("account_id", some)} AND hour >= ${from} AND hour < ${to}
      GROUP BY account_id HAVING SUM(requests) <> 0 OR SUM(cost) <> 0`.compile(db);
    rows.push(...(await report(() => run<Row>(query))));
  }
  return toMap(rows);
}

/** The totals of the records of a month that the database still has. */
export async function presentTotals({ db, snapshot }: Engine, month: Month): Promise<ByAccount> {
  const query =
    sql<Row>`SELECT account_id AS account, CAST(COUNT(*) AS BIGINT) AS records, ${total(sql`cost`)} AS cost
    FROM generations WHERE ${isOfMonth(month)} GROUP BY account_id`.compile(db);
  return toMap(await snapshot(() => run<Row>(query)));
}

/** The totals of the removed records of a month. */
export async function removedTotals({ db, report }: Engine, month: Month): Promise<ByAccount> {
  const query =
    sql<Row>`SELECT account_id AS account, ${total(sql`requests`)} AS records, ${total(sql`cost`)} AS cost
    FROM archived_days WHERE month = ${month} GROUP BY account_id`.compile(db);
  return toMap(await report(() => run<Row>(query)));
}

/** Adds up sums, by account. */
export function mergeSums(...all: readonly ByAccount[]): ByAccount {
  const sums: ByAccount = new Map();
  for (const one of all)
    for (const [account, { records, cost }] of one) {
      const before = sums.get(account);
      sums.set(account, {
        records: records + (before?.records ?? 0),
        cost: cost + (before?.cost ?? 0),
      });
    }
  return sums;
}
