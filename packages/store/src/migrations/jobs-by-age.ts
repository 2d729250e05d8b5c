import type { Migration } from "./migration.ts";

/** Jobs are listed over all accounts, newest first. */
export const jobsByAge: Migration = {
  name: "jobs by age",
  statements: () => ["CREATE INDEX jobs_by_age ON jobs (created_at, id)"],
};
