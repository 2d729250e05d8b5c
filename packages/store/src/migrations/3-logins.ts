import type { Migration } from "./migrate.ts";

/** The sign-in of an account: a login name, and the slow hash of a password. */
export const logins: Migration = {
  name: "logins",
  statements: ({ integer }) => [
    "ALTER TABLE accounts ADD COLUMN login TEXT",
    "ALTER TABLE accounts ADD COLUMN password_hash TEXT",
    `ALTER TABLE accounts ADD COLUMN password_at ${integer}`,
    "CREATE UNIQUE INDEX accounts_by_login ON accounts (login)",
    "CREATE INDEX transfers_by_debit ON transfers (debit_account, created_at)",
    // Charges credit the revenue account, which no caller lists.
    "CREATE INDEX transfers_by_credit ON transfers (credit_account, created_at) WHERE kind <> 'charge'",
  ],
};
