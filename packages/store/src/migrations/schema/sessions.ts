import type { Definition } from "../migration.ts";

/**
 * Sessions that were ended before they expired, by hashes of their names, and the number of attempts, for example to
 * sign in, with the time at which the next is allowed.
 */
export const sessions: Definition = ({ integer, clustered }) => [
  `CREATE TABLE ended_sessions (hash TEXT PRIMARY KEY, until ${integer} NOT NULL) ${clustered}`,
  "CREATE INDEX ended_sessions_by_age ON ended_sessions (until)",

  `CREATE TABLE attempts (
    subject TEXT PRIMARY KEY,
    count ${integer} NOT NULL,
    next_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    kept_until ${integer} NOT NULL
  ) ${clustered}`,
  "CREATE INDEX attempts_by_age ON attempts (kept_until)",
];
