import type { Definition } from "../migration.ts";

/** The movements of money, and the credit that processes hold in advance for requests. */
export const ledger: Definition = ({ integer, strict, clustered, appendOnly }) => [
  `CREATE TABLE transfers (
    id TEXT PRIMARY KEY,
    debit_account TEXT NOT NULL,
    credit_account TEXT NOT NULL,
    amount ${integer} NOT NULL CHECK (amount > 0),
    kind TEXT NOT NULL,
    generation_id TEXT,
    created_at ${integer} NOT NULL,
    CHECK (${KINDS})
  ) ${clustered}`,
  "CREATE INDEX transfers_by_debit ON transfers (debit_account, created_at)",
  // Charges credit the revenue account, which no caller lists.
  "CREATE INDEX transfers_by_credit ON transfers (credit_account, created_at) WHERE kind <> 'charge'",
  ...appendOnly("transfers"),

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
];

/** A charge without a generation is a batch's: the generations of the batch refer to its id. */
const KINDS = `
  (kind IN ('topup', 'writeoff') AND debit_account = 'house' AND generation_id IS NULL) OR
  (kind = 'charge' AND credit_account = 'revenue' AND
    (generation_id IS NOT NULL OR substr(id, 1, 6) = 'batch:')) OR
  (kind = 'correction' AND 'revenue' IN (debit_account, credit_account) AND generation_id IS NOT NULL) OR
  (kind = 'refund' AND debit_account = 'revenue' AND generation_id IS NOT NULL)`;
