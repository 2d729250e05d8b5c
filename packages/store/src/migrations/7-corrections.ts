import type { Migration } from "./migrate.ts";

/**
 * Corrections of charges, in either direction. SQLite cannot change a table's constraint, so the ledger is rewritten,
 * which takes seconds for a million movements.
 */
export const corrections: Migration = {
  name: "corrections",
  statements: ({ integer, clustered, dialect }) =>
    dialect === "postgres"
      ? [
          "ALTER TABLE transfers DROP CONSTRAINT transfers_check",
          `ALTER TABLE transfers ADD CONSTRAINT transfers_check CHECK (${KINDS})`,
        ]
      : [
          `CREATE TABLE transfers_anew (
            id TEXT PRIMARY KEY,
            debit_account TEXT NOT NULL,
            credit_account TEXT NOT NULL,
            amount ${integer} NOT NULL CHECK (amount > 0),
            kind TEXT NOT NULL,
            generation_id TEXT,
            created_at ${integer} NOT NULL,
            CHECK (${KINDS})
          ) ${clustered}`,
          "INSERT INTO transfers_anew SELECT * FROM transfers",
          // This drops its indexes and triggers too.
          "DROP TABLE transfers",
          "ALTER TABLE transfers_anew RENAME TO transfers",
          "CREATE INDEX transfers_by_debit ON transfers (debit_account, created_at)",
          "CREATE INDEX transfers_by_credit ON transfers (credit_account, created_at) WHERE kind <> 'charge'",
          ...["UPDATE", "DELETE"].map(
            (change) =>
              `CREATE TRIGGER transfers_no_${change.toLowerCase()} BEFORE ${change} ON transfers
               BEGIN SELECT RAISE(ABORT, 'transfers is append-only'); END`,
          ),
        ],
};

const KINDS = `
  (kind IN ('topup', 'writeoff') AND debit_account = 'house' AND generation_id IS NULL) OR
  (kind = 'charge' AND credit_account = 'revenue' AND generation_id IS NOT NULL) OR
  (kind = 'correction' AND 'revenue' IN (debit_account, credit_account) AND generation_id IS NOT NULL) OR
  (kind = 'refund' AND debit_account = 'revenue' AND generation_id IS NOT NULL)`;
