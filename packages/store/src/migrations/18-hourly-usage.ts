import type { Engine } from "../engine/engine.ts";
import { GENERATIONS, hoursOf as hoursByPace } from "./17-usage-hours.ts";
import type { Migration } from "./migrate.ts";

const SUMS = [
  ...[
    "requests",
    "cost",
    "duration_ms",
    "input",
    "output",
    "cache_read",
    "reasoning",
    "images",
    "characters",
  ],
  "millis",
];
const PACES = Array.from({ length: 9 }, (_, pace) => `pace_${pace}`);

/**
 * The hourly sums with a column instead of a row for each class of durations: a third of the rows for a commit to write
 * and a chart to read. The previous table is emptied, and stays for processes of the previous version.
 */
export const hourlyUsage: Migration = {
  name: "hourly usage",
  statements: ({ integer, clustered, dialect }) => [
    `CREATE TABLE hourly_usage (
      account_id TEXT NOT NULL,
      hour ${integer} NOT NULL,
      key_id TEXT NOT NULL,
      model TEXT NOT NULL,
      modality TEXT NOT NULL,
      status TEXT NOT NULL,
      ${[...SUMS, ...PACES].map((name) => `${name} ${integer} NOT NULL`).join(",\n      ")},
      PRIMARY KEY (account_id, hour, key_id, model, modality, status)
    ) ${clustered}`,
    `INSERT INTO hourly_usage ${hoursOf(dialect)}`,
    "DELETE FROM usage_hours",
  ],
};

/** A query for the hourly sums of the generations. */
export function hoursOf(dialect: Engine["dialect"], source = GENERATIONS): string {
  const sums = SUMS.map((name) => `CAST(SUM(${name}) AS BIGINT) AS ${name}`);
  const paces = PACES.map(
    (name, pace) => `CAST(SUM(CASE pace WHEN ${pace} THEN requests ELSE 0 END) AS BIGINT) AS ${name}`,
  );
  const { also } = source;
  return `SELECT account_id, hour, key_id, model, modality, status, ${[...sums, ...paces, ...also].join(", ")}
    FROM (${hoursByPace(dialect, source)}) AS by_pace GROUP BY ${["1, 2, 3, 4, 5, 6", ...also].join(", ")}`;
}
