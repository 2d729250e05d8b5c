import type { Migration } from "./migrate.ts";

/**
 * Accounts, keys, generations and the movements of money. Tables that every request writes refer to others without
 * foreign keys: the writing statements read the referenced rows in the same transaction, and the audit checks them.
 */
export const accounts: Migration = {
  name: "accounts",
  statements: ({ integer, strict, clustered, dialect }) => [
    `CREATE TABLE accounts (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      active ${integer} NOT NULL,
      balance ${integer} NOT NULL CHECK (abs(balance) <= 9007199254740991),
      held ${integer} NOT NULL CHECK (held BETWEEN 0 AND 9007199254740991),
      created_at ${integer} NOT NULL
    ) ${strict}`,
    `CREATE TABLE api_keys (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      lookup_hash TEXT NOT NULL UNIQUE,
      prefix TEXT NOT NULL,
      name TEXT NOT NULL,
      active ${integer} NOT NULL,
      revision ${integer} NOT NULL,
      daily_limit ${integer},
      weekly_limit ${integer},
      monthly_limit ${integer},
      total_limit ${integer},
      sealed TEXT,
      sealed_nonce TEXT,
      sealed_version ${integer},
      created_at ${integer} NOT NULL,
      revoked_at ${integer}
    ) ${strict}`,
    "CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at)",
    `CREATE TABLE key_spend (
      key_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      win TEXT NOT NULL,
      spent ${integer} NOT NULL CHECK (spent BETWEEN 0 AND 9007199254740991),
      held ${integer} NOT NULL CHECK (held BETWEEN 0 AND 9007199254740991),
      PRIMARY KEY (key_id, kind, win)
    ) ${clustered}`,
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
      owner TEXT
    ) ${strict}`,
    // A separate table, so that ending a generation does not rewrite the request.
    `CREATE TABLE requests (id TEXT PRIMARY KEY, content TEXT NOT NULL) ${strict}`,
    // Ended generations are listed and counted from the index alone.
    "CREATE INDEX generations_ended ON generations (account_id, created_at, id, status) WHERE status <> 'pending'",
    "CREATE INDEX generations_held ON generations (owner) WHERE status = 'pending'",
    `CREATE TABLE transfers (
      id TEXT PRIMARY KEY,
      debit_account TEXT NOT NULL,
      credit_account TEXT NOT NULL,
      amount ${integer} NOT NULL CHECK (amount > 0),
      kind TEXT NOT NULL,
      generation_id TEXT,
      created_at ${integer} NOT NULL,
      CHECK (
        (kind IN ('topup', 'writeoff') AND debit_account = 'house' AND generation_id IS NULL) OR
        (kind = 'charge' AND credit_account = 'revenue' AND generation_id IS NOT NULL) OR
        (kind = 'refund' AND debit_account = 'revenue' AND generation_id IS NOT NULL)
      )
    ) ${clustered}`,
    ...(dialect === "sqlite" ? SQLITE_GUARDS : POSTGRES_GUARDS),
    `CREATE TABLE instances (
      owner TEXT PRIMARY KEY,
      started_at ${integer} NOT NULL,
      heartbeat_at ${integer} NOT NULL
    ) ${strict}`,
    `CREATE TABLE revisions (subject TEXT PRIMARY KEY, value ${integer} NOT NULL) ${strict}`,
    "INSERT INTO revisions (subject, value) VALUES ('keys', 0), ('catalog', 0)",
  ],
};

/** Triggers that keep the ledger append-only: a correction is a new row. */
const SQLITE_GUARDS = ["UPDATE", "DELETE"].map(
  (change) =>
    `CREATE TRIGGER transfers_no_${change.toLowerCase()} BEFORE ${change} ON transfers
     BEGIN SELECT RAISE(ABORT, 'transfers is append-only'); END`,
);

const POSTGRES_GUARDS = [
  `CREATE FUNCTION transfers_refuse() RETURNS trigger LANGUAGE plpgsql AS
   $$ BEGIN RAISE EXCEPTION 'transfers is append-only'; END $$`,
  `CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
   FOR EACH STATEMENT EXECUTE FUNCTION transfers_refuse()`,
];
