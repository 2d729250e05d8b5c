import type { Migration } from "./migration.ts";

/** Answers that are kept to be given once more, each for one account. */
export const cachedAnswers: Migration = {
  name: "cached answers",
  statements: ({ integer, strict }) => [
    `CREATE TABLE cached_answers (
      account_id TEXT NOT NULL,
      hash TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      bytes ${integer} NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (account_id, hash)
    ) ${strict}`,
    "CREATE INDEX cached_answers_by_time ON cached_answers (created_at, bytes)",
    "CREATE INDEX cached_answers_by_end ON cached_answers (expires_at)",
  ],
};
