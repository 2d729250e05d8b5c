import type { Definition } from "../migration.ts";

/**
 * Generations, the texts of their requests, requests that callers named so that a repeated one does not do its work
 * again, and the accounts that received the ids in providers' answers.
 */
export const generations: Definition = ({ integer, strict, clustered }) => [
  `CREATE TABLE generations (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    key_id TEXT,
    modality TEXT NOT NULL,
    model TEXT NOT NULL,
    status TEXT NOT NULL,
    route TEXT,
    price TEXT,
    usage TEXT,
    checkpoint TEXT,
    cost ${integer} CHECK (cost >= 0),
    duration_ms ${integer},
    created_at ${integer} NOT NULL,
    dispatched_at ${integer},
    held ${integer} NOT NULL CHECK (held >= 0),
    daily TEXT NOT NULL,
    weekly TEXT NOT NULL,
    monthly TEXT NOT NULL,
    owner TEXT,
    lease TEXT,
    leased ${integer} NOT NULL DEFAULT 0,
    batch TEXT,
    tags TEXT,
    end_user TEXT,
    surface TEXT
  ) ${strict}`,
  // Ended generations are listed and counted from the index alone.
  "CREATE INDEX generations_ended ON generations (account_id, created_at, id, status) WHERE status <> 'pending'",
  "CREATE INDEX generations_held ON generations (owner) WHERE status = 'pending'",

  // A separate table, so that ending a generation does not rewrite the request. The sweep fills in the account, time and
  // size of texts that were written without.
  `CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    account TEXT,
    asked_at ${integer},
    bytes ${integer}
  ) ${strict}`,
  "CREATE INDEX requests_kept ON requests (account, asked_at, id, bytes) WHERE account IS NOT NULL",
  "CREATE INDEX requests_unplaced ON requests (id) WHERE account IS NULL",

  `CREATE TABLE repeats (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    route TEXT NOT NULL,
    name TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    generation_id TEXT NOT NULL,
    state TEXT NOT NULL,
    answer TEXT,
    created_at ${integer} NOT NULL,
    bytes ${integer} NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, route, name)
  ) ${strict}`,
  "CREATE INDEX repeats_by_age ON repeats (created_at)",
  "CREATE INDEX repeats_kept ON repeats (account_id, bytes) WHERE bytes > 0",

  `CREATE TABLE issued_ids (
    hash TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    maker TEXT
  ) ${clustered}`,
  "CREATE INDEX issued_ids_by_age ON issued_ids (created_at)",
];
