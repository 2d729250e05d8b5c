import type { Migration } from "./migration.ts";

/** Batches are listed over all accounts, newest first. */
export const batchesByAge: Migration = {
  name: "batches by age",
  statements: () => ["CREATE INDEX batches_by_age ON batches (created_at, id)"],
};
