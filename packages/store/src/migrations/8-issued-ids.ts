import type { Migration } from "./migrate.ts";

/** The accounts that received the ids in providers' answers. */
export const issuedIds: Migration = {
  name: "issued-ids",
  statements: ({ integer, clustered }) => [
    `CREATE TABLE issued_ids (
      hash TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      created_at ${integer} NOT NULL
    ) ${clustered}`,
    "CREATE INDEX issued_ids_by_age ON issued_ids (created_at)",
  ],
};
