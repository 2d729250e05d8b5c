import type { Migration } from "./migrate.ts";

/** The restrictions of keys besides caps, and the recent use of keys that have rate limits. */
export const restrictions: Migration = {
  name: "restrictions",
  statements: ({ strict }) => [
    "ALTER TABLE api_keys ADD COLUMN restrictions TEXT",
    `CREATE TABLE key_use (
      key_id TEXT PRIMARY KEY,
      state TEXT NOT NULL
    ) ${strict}`,
  ],
};
