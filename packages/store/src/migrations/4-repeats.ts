import type { Migration } from "./migrate.ts";

/** Requests that callers named, so that a repeated request does not do its work again. */
export const repeats: Migration = {
  name: "repeats",
  statements: ({ integer, strict }) => [
    `CREATE TABLE repeats (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      route TEXT NOT NULL,
      name TEXT NOT NULL,
      body_hash TEXT NOT NULL,
      generation_id TEXT NOT NULL,
      state TEXT NOT NULL,
      answer TEXT,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (account_id, route, name)
    ) ${strict}`,
    "CREATE INDEX repeats_by_age ON repeats (created_at)",
  ],
};
