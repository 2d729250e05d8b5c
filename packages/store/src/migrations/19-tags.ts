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
  ...["millis", ...Array.from({ length: 9 }, (_, pace) => `pace_${pace}`)],
];

/** The tags and end users of requests, the sums of each tag, and the tags of each hour that have separate sums. */
export const tags: Migration = {
  name: "tags",
  statements: ({ integer, clustered }) => [
    "ALTER TABLE generations ADD COLUMN tags TEXT",
    "ALTER TABLE generations ADD COLUMN end_user TEXT",
    `CREATE TABLE hourly_tags (
      account_id TEXT NOT NULL,
      hour ${integer} NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      key_id TEXT NOT NULL,
      model TEXT NOT NULL,
      modality TEXT NOT NULL,
      status TEXT NOT NULL,
      ${SUMS.map((name) => `${name} ${integer} NOT NULL`).join(",\n      ")},
      PRIMARY KEY (account_id, hour, name, value, key_id, model, modality, status)
    ) ${clustered}`,
    `CREATE TABLE hourly_tag_values (
      account_id TEXT NOT NULL,
      hour ${integer} NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (account_id, hour, name, value)
    ) ${clustered}`,
  ],
};
