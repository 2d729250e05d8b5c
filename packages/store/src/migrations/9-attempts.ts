import type { Migration } from "./migrate.ts";

/** The number of attempts, for example to sign in, and the time at which the next is allowed. */
export const attempts: Migration = {
  name: "attempts",
  statements: ({ integer, clustered }) => [
    `CREATE TABLE attempts (
      subject TEXT PRIMARY KEY,
      count ${integer} NOT NULL,
      next_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      kept_until ${integer} NOT NULL
    ) ${clustered}`,
    "CREATE INDEX attempts_by_age ON attempts (kept_until)",
  ],
};
