import type { Migration } from "./migrate.ts";

/**
 * The owner, age and length of the text of a request, and the total that is kept of each account. Texts from before
 * are told apart by having no account: the sweep gives them theirs in small steps, for there may be very many. The
 * columns have names that generations have not: the version before joins the two.
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
