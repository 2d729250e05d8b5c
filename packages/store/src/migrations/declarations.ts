import type { Migration } from "./migration.ts";

/**
 * What operators declare while the service runs, such as providers. Each change is a row, the last one of a name
 * is in force, and one without a `value` removes it: so a change can be undone, with its credential.
 */
export const declarations: Migration = {
  name: "declarations",
  statements: ({ integer, strict }) => [
    `CREATE TABLE declarations (
      revision ${integer} PRIMARY KEY,
      section TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT,
      sealed TEXT,
      created_at ${integer} NOT NULL
    ) ${strict}`,
    "CREATE INDEX declarations_by_name ON declarations (section, name, revision)",
  ],
};
