import type { Definition } from "../migration.ts";

/** Accounts with their sign-in and balance, and their API keys with the spending and the recent use of each. */
export const accounts: Definition = ({ integer, strict, clustered }) => [
  `CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    active ${integer} NOT NULL,
    balance ${integer} NOT NULL CHECK (abs(balance) <= 9007199254740991),
    held ${integer} NOT NULL CHECK (held BETWEEN 0 AND 9007199254740991),
    created_at ${integer} NOT NULL,
    login TEXT,
    password_hash TEXT,
    password_at ${integer},
    kept_bytes ${integer} NOT NULL DEFAULT 0,
    recall ${integer} NOT NULL DEFAULT 0
  ) ${strict}`,
  "CREATE UNIQUE INDEX accounts_by_login ON accounts (login)",

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
    revoked_at ${integer},
    restrictions TEXT
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

  `CREATE TABLE key_use (
    key_id TEXT PRIMARY KEY,
    state TEXT NOT NULL
  ) ${strict}`,
];
