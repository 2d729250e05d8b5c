import { postgresDialect } from "../../../packages/store/src/engine/postgres-dialect.ts";
import { latenciesOf } from "../../../packages/store/src/usage/recount-latencies.ts";
import { COUNTED, KEY, toCounted } from "../../../packages/store/src/usage/sums.ts";
import { ACCOUNTS, COST, ENTRY, type HourOfRecords, PRICE, ROUTE, RUN, USAGE } from "./shape.ts";

/**
 * The records of an hour, in the order of time. Runs of one account lie among those of others; few accounts have most
 * of the runs, and most have few: the share of the account `n` is about 1/n.
 */
const recordsOf = ({ at, records, daily, weekly, monthly }: HourOfRecords): string => {
  const runs = Math.max(1, Math.round(records / RUN));
  const random = `(hashint8(${at}::bigint * 7919 + i % ${runs})::bigint & 16777215) / 16777216::float8`;
  return `SELECT lpad(to_hex(made_at), 12, '0') || substr(md5(made_at::text || i::text), 1, 20) AS id,
      'acc-' || account AS account_id, 'key-' || account AS key_id, made_at, ${at}::bigint AS hour,
      CASE WHEN i % 50 = 7 THEN 'failed' ELSE 'succeeded' END AS status, 800 + made_at % 4000 AS duration_ms,
      '${daily}' AS daily, '${weekly}' AS weekly, '${monthly}' AS monthly,
      'batch:' || lpad(to_hex(${at}::bigint), 12, '0') || lpad(to_hex(run), 12, '0') || '.1' AS batch,
      'text' AS modality, 'bench' AS model, 'chatstyle' AS surface, '${ENTRY}' AS entry,
      NULL::text AS route, NULL::text AS usage
    FROM (SELECT i, i % ${runs} AS run, ${at}::bigint + (i::bigint * 3600000) / ${records} AS made_at,
        floor(power(${ACCOUNTS}::float8, ${random}))::int - 1 AS account
      FROM generate_series(0, ${records - 1}) AS i) AS made`;
};

const COLUMNS = `id, account_id, key_id, modality, model, status, route, price, usage, cost, duration_ms, created_at,
  dispatched_at, held, daily, weekly, monthly, leased, batch, surface`;

/** A value of the records that did not fail. */
const unlessFailed = (value: string, otherwise: string): string =>
  `CASE status WHEN 'failed' THEN ${otherwise} ELSE ${value} END`;

const key = KEY.map(([name]) => name).join(", ");
const counts = toCounted(JSON.parse(USAGE));
const counted = COUNTED.map(([, column]) => `COUNT(*) * ${unlessFailed(String(counts[column] ?? 0), "0")}`);

/** The statement that writes the records of an hour with their charges, sums and latencies. */
export const hourStatement = (hour: HourOfRecords): string => `WITH made AS MATERIALIZED (${recordsOf(hour)}),
  recorded AS (INSERT INTO generations (${COLUMNS})
    SELECT id, account_id, key_id, modality, model, status, '${ROUTE}', '${PRICE}', ${unlessFailed(`'${USAGE}'`, "NULL")},
      ${unlessFailed(String(COST), "0")}, duration_ms, made_at, made_at, 0, daily, weekly, monthly, 1700, batch, surface
    FROM made),
  summed AS (INSERT INTO hourly_sums (${key}, requests, cost, duration_ms, ${COUNTED.map(([, column]) => column).join(", ")}, millis)
    SELECT ${key}, COUNT(*), COUNT(*) * ${unlessFailed(String(COST), "0")}, SUM(duration_ms), ${counted.join(", ")}, 0
    FROM made GROUP BY ${key}),
  classed AS (${latenciesOf(
    postgresDialect,
    "hourly_latencies",
    KEY.map(([name]) => name),
    "made",
  )})
  INSERT INTO transfers (id, debit_account, credit_account, amount, kind, created_at)
    SELECT batch, account_id, 'revenue', COUNT(*) * ${COST}, 'charge', MAX(made_at) + 5000
    FROM made WHERE status <> 'failed' GROUP BY batch, account_id`;
