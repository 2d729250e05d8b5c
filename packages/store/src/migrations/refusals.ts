import type { Migration } from "./migration.ts";

/**
 * Requests that were refused before they had a generation. `part` names what one process counted: it writes its whole
 * count each time, so that a write done twice counts once.
 */
export const refusals: Migration = {
  name: "refusals",
  statements: ({ integer, strict, clustered }) => [
    `CREATE TABLE refusals (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      key_id TEXT,
      created_at ${integer} NOT NULL,
      code TEXT NOT NULL,
      status ${integer} NOT NULL,
      sentence TEXT,
      surface TEXT NOT NULL,
      model TEXT,
      request_id TEXT NOT NULL
    ) ${strict}`,
    "CREATE INDEX refusals_by_account ON refusals (account_id, id)",
    "CREATE INDEX refusals_by_request ON refusals (request_id)",
    `CREATE TABLE hourly_refusals (
      account_id TEXT NOT NULL,
      hour ${integer} NOT NULL,
      key_id TEXT NOT NULL,
      code TEXT NOT NULL,
      part TEXT NOT NULL,
      count ${integer} NOT NULL,
      PRIMARY KEY (account_id, hour, key_id, code, part)
    ) ${clustered}`,
    "CREATE INDEX hourly_refusals_by_hour ON hourly_refusals (hour)",
  ],
};
