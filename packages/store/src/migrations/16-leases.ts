import type { Migration } from "./migrate.ts";

/**
 * Credit that processes hold in advance for requests, and charges of many generations in one movement. SQLite cannot
 * change a table's constraint, so the ledger is rewritten, which takes seconds for a million movements.
 */
export const leases: Migration = {
  name: "leases",
  statements: ({ integer, strict, clustered, dialect }) => [
    `CREATE TABLE leases (
      id TEXT PRIMARY KEY,
      owner TEXT NOT NULL,
      account_id TEXT NOT NULL,
      key_id TEXT,
      daily TEXT NOT NULL,
      weekly TEXT NOT NULL,
      monthly TEXT NOT NULL,
      amount ${integer} NOT NULL CHECK (amount BETWEEN 0 AND 9007199254740991),
      step ${integer} NOT NULL,
      ending ${integer} NOT NULL,
      key_revision ${integer} NOT NULL,
      recall ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    ) ${strict}`,
    "CREATE INDEX leases_by_owner ON leases (owner)",
    "CREATE INDEX leases_by_account ON leases (account_id)",
    `ALTER TABLE accounts ADD COLUMN recall ${integer} NOT NULL DEFAULT 0`,
    "ALTER TABLE generations ADD COLUMN lease TEXT",
    `ALTER TABLE generations ADD COLUMN leased ${integer} NOT NULL DEFAULT 0`,
    "ALTER TABLE generations ADD COLUMN batch TEXT",
    ...(dialect === "postgres"
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
        ]),
  ],
};

/** A charge without a generation is a batch's: the generations of the batch refer to its id. */
const KINDS = `
  (kind IN ('topup', 'writeoff') AND debit_account = 'house' AND generation_id IS NULL) OR
  (kind = 'charge' AND credit_account = 'revenue' AND
    (generation_id IS NOT NULL OR substr(id, 1, 6) = 'batch:')) OR
  (kind = 'correction' AND 'revenue' IN (debit_account, credit_account) AND generation_id IS NOT NULL) OR
  (kind = 'refund' AND debit_account = 'revenue' AND generation_id IS NOT NULL)`;
