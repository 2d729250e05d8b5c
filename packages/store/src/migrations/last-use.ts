import type { Migration } from "./migration.ts";

/** When each key was last used, and from which address. */
export const lastUse: Migration = {
  name: "last use",
  statements: ({ integer, clustered }) => [
    `CREATE TABLE key_last_use (
      key_id TEXT PRIMARY KEY,
      used_at ${integer} NOT NULL,
      address TEXT
    ) ${clustered}`,
  ],
};
