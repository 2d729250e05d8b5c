import type { Migration } from "./migrate.ts";

/** The time for which files are kept, and the limit on an account's running jobs. */
export const retention: Migration = {
  name: "retention",
  statements: ({ integer }) => [
    // The time until which running work needs the file.
    `ALTER TABLE assets ADD COLUMN needed_until ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE assets ADD COLUMN expired_at ${integer}`,
    "CREATE INDEX assets_stored ON assets (created_at) WHERE object_key IS NOT NULL AND expired_at IS NULL",
    "CREATE INDEX assets_expired ON assets (id) WHERE object_key IS NOT NULL AND expired_at IS NOT NULL",
    "CREATE INDEX jobs_live ON jobs (account_id) WHERE ended_at IS NULL",
  ],
};
