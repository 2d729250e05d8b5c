import type { Dialect } from "../engine/dialect.ts";
import { BASE, WIDTH } from "./sketch.ts";

const DIGITS = "'0123456789abcdefghijklmnopqrstuvwxyz'";
const digit = (value: string): string => `substr(${DIGITS}, CAST(${value} AS INTEGER) + 1, 1)`;

/** A class, and the number of its latencies, as `pack` writes them. */
const PACKED = `${digit(`class / ${BASE}`)} || ${digit(`class % ${BASE}`)} || CASE amount WHEN 1 THEN '' ELSE CAST(amount AS TEXT) END`;
const CLASS = `CASE WHEN ms < 1 THEN 0 ELSE 1 + CAST(FLOOR(LN(CAST(ms AS DOUBLE PRECISION)) / ${WIDTH}) AS INTEGER) END`;

/**
 * The statement that writes the latencies of generations into an empty table, as `addLatency` and `pack` do. Recovery
 * does not know when a generation really ended, so that its durations are left out.
 */
export function latenciesOf(dialect: Dialect, table: string, key: readonly string[], from: string): string {
  const { json, joined } = dialect;
  const columns = key.join(", ");
  const speed = (member: string): string => json.number(json.member("route", "speed"), member);
  const first = `COALESCE(${speed("sinceCallMs")}, ${speed("firstTokenMs")})`;
  const recovered = `COALESCE(CAST(${json.member("usage", "recovered")} AS TEXT), '') IN ('1', 'true')`;
  const measured = (kind: string, value: string): string =>
    `SELECT ${columns}, '${kind}' AS kind, CAST(${value} AS BIGINT) AS ms FROM ${from}
      WHERE status <> 'pending' AND ${value} IS NOT NULL AND NOT ${recovered}`;
  const of = (kind: string, value: string): string => `CASE kind WHEN '${kind}' THEN ${value} END`;
  const text = (kind: string): string => `COALESCE(${joined(of(kind, "packed"))}, '')`;
  return `INSERT INTO ${table} (${columns}, part, durations, longest, firsts, longest_first)
    SELECT ${columns}, '', ${text("duration")}, COALESCE(MAX(${of("duration", "longest")}), 0),
      ${text("first")}, COALESCE(MAX(${of("first", "longest")}), 0)
    FROM (SELECT ${columns}, kind, longest, ${PACKED} AS packed
      FROM (SELECT ${columns}, kind, ${CLASS} AS class, COUNT(*) AS amount, MAX(ms) AS longest
        FROM (${measured("duration", "duration_ms")} UNION ALL ${measured("first", first)}) AS measured
        GROUP BY ${columns}, kind, class) AS classed) AS packed_classes
    GROUP BY ${columns}`;
}
