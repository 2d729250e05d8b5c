import type { Migration } from "./migration.ts";

/** Batches that providers run for lines of batches, the one that a line is sent with, and the lines that were in one. */
export const upstreamBatches: Migration = {
  name: "upstream batches",
  statements: ({ integer, strict }) => [
    "ALTER TABLE batch_lines ADD COLUMN upstream TEXT",
    `ALTER TABLE batch_lines ADD COLUMN direct ${integer} NOT NULL DEFAULT 0`,
    `CREATE TABLE upstream_batches (
      id TEXT PRIMARY KEY,
      batch_id TEXT NOT NULL,
      terms TEXT NOT NULL,
      lines ${integer} NOT NULL,
      remote_id TEXT,
      created_at ${integer} NOT NULL,
      cancelling_at ${integer},
      ended_at ${integer},
      outcome TEXT,
      CHECK ((ended_at IS NULL) = (outcome IS NULL))
    ) ${strict}`,
    "CREATE INDEX upstream_batches_by_batch ON upstream_batches (batch_id)",
    "CREATE INDEX batch_lines_by_upstream ON batch_lines (upstream, number) WHERE upstream IS NOT NULL",
  ],
};
