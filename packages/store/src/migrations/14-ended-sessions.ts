import type { Migration } from "./migrate.ts";

/** Sessions that were ended before they expired, by hashes of their names. */
export const endedSessions: Migration = {
  name: "ended-sessions",
  statements: ({ integer, clustered }) => [
    `CREATE TABLE ended_sessions (hash TEXT PRIMARY KEY, until ${integer} NOT NULL) ${clustered}`,
    "CREATE INDEX ended_sessions_by_age ON ended_sessions (until)",
  ],
};
