import pg from "pg";
import { startOf } from "../../../packages/store/src/engine/month.ts";
import { PACE_COLUMNS } from "../../../packages/store/src/usage/sums.ts";
import { openers } from "../../store/databases/open.ts";
import { hourStatement } from "./hour.ts";
import { ACCOUNTS, CREDIT, months } from "./shape.ts";

/** Accounts with a key and credit each, and columns of before, which no record fills. */
const BEGIN = [
  `INSERT INTO accounts (id, name, active, balance, held, created_at)
    SELECT 'acc-' || i, 'Account ' || i, 1, ${CREDIT}, 0, 1 FROM generate_series(0, ${ACCOUNTS - 1}) AS i`,
  `INSERT INTO api_keys (id, account_id, lookup_hash, prefix, name, active, revision, created_at)
    SELECT 'key-' || i, 'acc-' || i, 'hash-' || i, 'mfk_' || i, 'bench', 1, 1, 1
    FROM generate_series(0, ${ACCOUNTS - 1}) AS i`,
  `INSERT INTO transfers (id, debit_account, credit_account, amount, kind, created_at)
    SELECT 'credit-' || i, 'house', 'acc-' || i, ${CREDIT}, 'topup', 1
    FROM generate_series(0, ${ACCOUNTS - 1}) AS i`,
  ...PACE_COLUMNS.map((name) => `ALTER TABLE hourly_sums ALTER COLUMN ${name} SET DEFAULT 0`),
];

/** What the store adds up with each record besides the hours: balances, and what keys spent in the windows of caps. */
const TIME = "to_timestamp(hour / 1000) AT TIME ZONE 'UTC'";
const END = [
  `UPDATE accounts SET balance = balance - t.total
    FROM (SELECT account_id, SUM(cost)::bigint AS total FROM hourly_sums GROUP BY 1) AS t
    WHERE t.account_id = accounts.id`,
  ...Object.entries({
    daily: `to_char(${TIME}, 'YYYY-MM-DD')`,
    weekly: `to_char(${TIME}, 'IYYY-"W"IW')`,
    monthly: `to_char(${TIME}, 'YYYY-MM')`,
    total: "'all'",
  }).map(
    ([kind, window]) => `INSERT INTO key_spend (key_id, kind, win, spent, held)
      SELECT key_id, '${kind}', ${window}, SUM(cost)::bigint, 0 FROM hourly_sums GROUP BY 1, 3`,
  ),
  "VACUUM (ANALYZE)",
];

/**
 * Fills an empty database with records of thirteen months until `now`, as the store would have written them: the audit
 * is clean. Resolves to the seconds. Requests would take days.
 */
export async function fillPostgres(url: string, now: number, total: number): Promise<number> {
  const store = await openers.postgres(url);
  const began = performance.now();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "SET synchronous_commit = off; SET work_mem = '128MB'; SET maintenance_work_mem = '512MB'",
  );
  for (const text of BEGIN) await client.query(text);
  for (const { month, hours } of months(now, total)) {
    await store.partitions.keep(startOf(month));
    for (const hour of hours) if (hour.records > 0) await client.query(hourStatement(hour));
    await client.query(`VACUUM (ANALYZE) generations_${month.replace("-", "_")}`);
    console.log(`${month}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  }
  for (const text of END) await client.query(text);
  await client.end();
  await store.close();
  return (performance.now() - began) / 1_000;
}
