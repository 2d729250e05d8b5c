import type { Migration } from "./migrate.ts";

/** Models. `content` is a model and its entries as canonical JSON, to detect changes. */
export const catalog: Migration = {
  name: "catalog",
  statements: ({ integer, strict }) => [
    `CREATE TABLE models (
      id TEXT PRIMARY KEY,
      revision ${integer} NOT NULL,
      content TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    ) ${strict}`,
  ],
};
