import type { Engine } from "../engine/engine.ts";
import type { Migration } from "./migrate.ts";

/** Sums over ended generations by the hour in which they began, so that charts need not read each generation. */
export const usageHours: Migration = {
  name: "usage hours",
  statements: ({ integer, clustered, dialect }) => [
    `CREATE TABLE usage_hours (
      account_id TEXT NOT NULL,
      hour ${integer} NOT NULL,
      key_id TEXT NOT NULL,
      model TEXT NOT NULL,
      modality TEXT NOT NULL,
      status TEXT NOT NULL,
      pace ${integer} NOT NULL,
      requests ${integer} NOT NULL,
      cost ${integer} NOT NULL,
      duration_ms ${integer} NOT NULL,
      input ${integer} NOT NULL,
      output ${integer} NOT NULL,
      cache_read ${integer} NOT NULL,
      reasoning ${integer} NOT NULL,
      images ${integer} NOT NULL,
      characters ${integer} NOT NULL,
      millis ${integer} NOT NULL,
      PRIMARY KEY (account_id, hour, key_id, model, modality, status, pace)
    ) ${clustered}`,
    `INSERT INTO usage_hours ${hoursOf(dialect)}`,
  ],
};

/** The generations to sum up, and the columns by which they are grouped besides the usual ones. */
export interface Source {
  from: string;
  also: readonly string[];
}
export const GENERATIONS: Source = { from: "generations", also: [] };

/** A query for the hourly sums of the generations. */
export function hoursOf(dialect: Engine["dialect"], { from, also } = GENERATIONS): string {
  const isFile = dialect === "sqlite";
  const member = (name: string) =>
    isFile ? `json_extract(usage, '$.${name}')` : `(usage::json ->> '${name}')`;
  const sum = (value: string) => `CAST(COALESCE(SUM(${value}), 0) AS BIGINT)`;
  const count = (name: string) => {
    const value = member(name);
    return sum(
      isFile
        ? `CASE WHEN json_type(usage, '$.${name}') = 'integer' AND ${value} >= 0 THEN ${value} ELSE 0 END`
        : `CASE WHEN ${value} ~ '^[0-9]{1,16}$' THEN CAST(${value} AS BIGINT) ELSE 0 END`,
    );
  };
  const seconds = member("seconds");
  const millis = isFile
    ? `CASE WHEN json_type(usage, '$.seconds') IN ('integer', 'real') AND ${seconds} >= 0
        THEN CAST(${seconds} * 1000 + 0.5 AS INTEGER) ELSE 0 END`
    : `CASE WHEN ${seconds} ~ '^[0-9]{1,12}([.][0-9]+)?$'
        THEN CAST(FLOOR(CAST(${seconds} AS DOUBLE PRECISION) * 1000 + 0.5) AS BIGINT) ELSE 0 END`;
  return `SELECT account_id, created_at - created_at % 3600000 AS hour, COALESCE(key_id, '') AS key_id, model, modality,
      status, CASE WHEN duration_ms IS NULL THEN -1 WHEN duration_ms < 100 THEN 0 WHEN duration_ms < 300 THEN 1
        WHEN duration_ms < 1000 THEN 2 WHEN duration_ms < 3000 THEN 3 WHEN duration_ms < 10000 THEN 4
        WHEN duration_ms < 30000 THEN 5 WHEN duration_ms < 100000 THEN 6 WHEN duration_ms < 300000 THEN 7
        ELSE 8 END AS pace,
      COUNT(*) AS requests, ${sum("cost")} AS cost, ${sum("duration_ms")} AS duration_ms, ${count("input")} AS input,
      ${count("output")} AS output, ${count("cacheRead")} AS cache_read, ${count("reasoning")} AS reasoning,
      ${count("images")} AS images, ${count("characters")} AS characters, ${sum(millis)} AS millis${also.map((name) => `, ${name}`).join("")}
    FROM ${from} WHERE status <> 'pending' GROUP BY ${["1, 2, 3, 4, 5, 6, 7", ...also].join(", ")}`;
}
