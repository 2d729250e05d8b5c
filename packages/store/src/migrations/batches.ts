import type { Migration } from "./migration.ts";

/**
 * Files of callers, and batches of requests that are read from them. A line is a row for as long as its batch runs:
 * where it stands in the file, the generation that answers it, and its answer.
 */
export const batches: Migration = {
  name: "batches",
  statements: ({ integer, strict }) => [
    `CREATE TABLE files (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      purpose TEXT NOT NULL,
      name TEXT NOT NULL,
      bytes ${integer} NOT NULL,
      object_key TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer}
    ) ${strict}`,
    "CREATE INDEX files_by_account ON files (account_id, created_at, id)",
    "CREATE INDEX files_by_key ON files (object_key)",
    "CREATE INDEX files_expiring ON files (expires_at) WHERE expires_at IS NOT NULL",

    `CREATE TABLE batches (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      surface TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      input_file TEXT NOT NULL,
      terms TEXT NOT NULL,
      phase TEXT NOT NULL,
      outcome TEXT,
      error TEXT,
      total ${integer} NOT NULL,
      counts TEXT,
      output_file TEXT,
      error_file TEXT,
      owner TEXT,
      lease_until ${integer} NOT NULL,
      attempt ${integer} NOT NULL,
      next_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      cancelling_at ${integer},
      running_at ${integer},
      writing_at ${integer},
      ended_at ${integer},
      CHECK ((ended_at IS NULL) = (outcome IS NULL))
    ) ${strict}`,
    "CREATE INDEX batches_due ON batches (next_at, id) WHERE phase <> 'swept'",
    "CREATE INDEX batches_by_account ON batches (account_id, surface, created_at, id)",
    "CREATE INDEX batches_live ON batches (account_id) WHERE ended_at IS NULL",
    "CREATE INDEX batches_by_input ON batches (input_file) WHERE ended_at IS NULL",

    `CREATE TABLE batch_lines (
      batch_id TEXT NOT NULL,
      number ${integer} NOT NULL,
      start ${integer} NOT NULL,
      length ${integer} NOT NULL,
      custom_id TEXT,
      state TEXT NOT NULL,
      generation_id TEXT,
      tries ${integer} NOT NULL,
      status ${integer},
      answer TEXT,
      PRIMARY KEY (batch_id, number)
    ) ${strict}`,
    "CREATE INDEX batch_lines_by_state ON batch_lines (batch_id, state, number)",
  ],
};
