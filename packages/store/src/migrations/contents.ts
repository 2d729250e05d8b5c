import type { Migration } from "./migration.ts";

/**
 * The contents of requests, many in a row. The time comes first in the key: a day is deleted as a whole, and a request
 * is looked for by the time of its generation. Contents that are stored already stay in the table `requests`.
 */
export const contents: Migration = {
  name: "contents",
  statements: ({ integer, strict, clustered }) => [
    `CREATE TABLE contents (
      day ${integer} NOT NULL,
      account TEXT NOT NULL,
      last_at ${integer} NOT NULL,
      first_at ${integer} NOT NULL,
      id TEXT NOT NULL,
      bytes ${integer} NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (day, account, last_at, first_at, id)
    ) ${strict}`,
    `CREATE TABLE contents_kept (
      account TEXT NOT NULL,
      day ${integer} NOT NULL,
      bytes ${integer} NOT NULL,
      PRIMARY KEY (account, day)
    ) ${clustered}`,
    "CREATE INDEX contents_kept_by_day ON contents_kept (day)",
  ],
};
