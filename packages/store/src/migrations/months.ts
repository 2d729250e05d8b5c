import type { Migration } from "./migration.ts";

/**
 * Months: partitions where the database has them, and what stays of a month whose records went to files. The rows of
 * today become the rest of their tables, without being read.
 */
export const months: Migration = {
  name: "months",
  statements: ({ integer, strict, clustered, divide, dropAppendOnly, appendOnlyUnless }) => [
    `CREATE TABLE archives (
      month TEXT PRIMARY KEY,
      state TEXT NOT NULL,
      from_at ${integer} NOT NULL,
      to_at ${integer} NOT NULL,
      records ${integer} NOT NULL,
      cost ${integer} NOT NULL,
      sha256 TEXT NOT NULL,
      written_at ${integer} NOT NULL,
      removed_at ${integer}
    ) ${strict}`,
    `CREATE TABLE archived_days (
      month TEXT NOT NULL,
      account_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      daily TEXT NOT NULL,
      weekly TEXT NOT NULL,
      monthly TEXT NOT NULL,
      requests ${integer} NOT NULL,
      cost ${integer} NOT NULL,
      charged ${integer} NOT NULL,
      PRIMARY KEY (month, account_id, key_id, daily, weekly, monthly)
    ) ${clustered}`,
    `CREATE TABLE archived_generations (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      cost ${integer} NOT NULL
    ) ${clustered}`,

    ...divide({
      ...{ name: "generations", key: "id", column: "id" },
      indexes: {
        generations_ended: "(account_id, created_at, id, status) WHERE status <> 'pending'",
        generations_held: "(owner) WHERE status = 'pending'",
      },
    }),
    ...dropAppendOnly("transfers"),
    ...divide({
      ...{ name: "transfers", key: "id", column: "id" },
      indexes: {
        transfers_by_debit: "(debit_account, created_at)",
        transfers_by_credit: "(credit_account, created_at) WHERE kind <> 'charge'",
      },
    }),
    ...appendOnlyUnless("transfers", IS_REMOVABLE),
    ...divide({
      ...{ name: "contents", key: "day, account, last_at, first_at, id", column: "day" },
      indexes: {},
    }),
  ],
};

/** The charges of a month are removed with its generations, once they are in files; a charge follows its generation. */
const IS_REMOVABLE = `OLD.kind = 'charge' AND EXISTS (SELECT 1 FROM archives WHERE state = 'removing'
  AND OLD.created_at >= from_at AND OLD.created_at < to_at + ${7 * 86_400_000})`;
