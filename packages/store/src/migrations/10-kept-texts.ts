import type { Migration } from "./migrate.ts";

/**
 * The account, time and size of each kept request, and the total size for each account. Earlier texts have no account;
 * the sweep fills it in by small steps, because there may be very many. The column names differ from those of
 * generations, because the previous version joins the two tables.
 */
export const keptTexts: Migration = {
  name: "kept-texts",
  statements: ({ integer }) => [
    "ALTER TABLE requests ADD COLUMN account TEXT",
    `ALTER TABLE requests ADD COLUMN asked_at ${integer}`,
    `ALTER TABLE requests ADD COLUMN bytes ${integer}`,
    "CREATE INDEX requests_kept ON requests (account, asked_at, id, bytes) WHERE account IS NOT NULL",
    "CREATE INDEX requests_unplaced ON requests (id) WHERE account IS NULL",
    `ALTER TABLE repeats ADD COLUMN bytes ${integer} NOT NULL DEFAULT 0`,
    "CREATE INDEX repeats_kept ON repeats (account_id, bytes) WHERE bytes > 0",
    `ALTER TABLE accounts ADD COLUMN kept_bytes ${integer} NOT NULL DEFAULT 0`,
    "CREATE INDEX jobs_shown ON jobs (ended_at) WHERE kind = 'video' AND shown IS NOT NULL AND ended_at IS NOT NULL",
  ],
};
