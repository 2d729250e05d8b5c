import type { Migration } from "./migrate.ts";

/** The credential that made an id, if its provider has several. */
export const makersOfIds: Migration = {
  name: "makers-of-ids",
  statements: () => ["ALTER TABLE issued_ids ADD COLUMN maker TEXT"],
};
