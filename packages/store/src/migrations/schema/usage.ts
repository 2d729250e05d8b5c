import type { Definition } from "../migration.ts";

const PARTS = ["key_id", "model", "modality", "status", "surface", "entry"];
const SUMS = [
  ...["requests", "cost", "duration_ms", "input", "output", "cache_read", "reasoning", "images"],
  ...["characters", "millis", ...Array.from({ length: 9 }, (_, pace) => `pace_${pace}`)],
];

/**
 * Sums over ended generations by the hour in which they began, so that charts need not read each generation; the same
 * by tag, and the tags of each hour that have separate sums.
 */
export const usage: Definition = ({ integer, clustered }) => {
  const table = (name: string, first: readonly string[]): string =>
    `CREATE TABLE ${name} (
      account_id TEXT NOT NULL,
      hour ${integer} NOT NULL,
      ${[...first, ...PARTS].map((column) => `${column} TEXT NOT NULL`).join(",\n      ")},
      ${SUMS.map((column) => `${column} ${integer} NOT NULL`).join(",\n      ")},
      PRIMARY KEY (${["account_id", "hour", ...first, ...PARTS].join(", ")})
    ) ${clustered}`;
  return [
    table("hourly_sums", []),
    table("hourly_tag_sums", ["name", "value"]),
    `CREATE TABLE hourly_tag_values (
      account_id TEXT NOT NULL,
      hour ${integer} NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (account_id, hour, name, value)
    ) ${clustered}`,
  ];
};
