import { createPostgresEngine } from "../../../packages/store/src/engine/postgres.ts";
import { createSqliteEngine } from "../../../packages/store/src/engine/sqlite.ts";
import { MIGRATIONS, migrate } from "../../../packages/store/src/migrations/migrate.ts";
import type { Migration } from "../../../packages/store/src/migrations/migration.ts";
import type { Database } from "../databases/database.ts";
import { NOW } from "../fixtures.ts";

/** A migration that there may be one day: it adds a column and a table, and writes rows. */
export const STEP: Migration = {
  name: "pets",
  statements: ({ integer, strict }) => [
    `CREATE TABLE pets (id TEXT PRIMARY KEY, age ${integer} NOT NULL) ${strict}`,
    "ALTER TABLE accounts ADD COLUMN pet TEXT",
    "INSERT INTO pets SELECT id, 3 FROM accounts",
  ],
};

/** Migrates a database as a process would whose program has these migrations after the first. */
export async function migrateWith(
  { dialect, location }: Pick<Database, "dialect" | "location">,
  ...steps: Migration[]
): Promise<void> {
  const engine =
    dialect === "sqlite" ? createSqliteEngine({ path: location }) : createPostgresEngine({ url: location });
  try {
    await migrate(engine, NOW, [...MIGRATIONS, ...steps]);
  } finally {
    await engine.close();
  }
}
