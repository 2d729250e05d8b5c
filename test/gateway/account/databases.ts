import { afterAll } from "vitest";
import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";

/** What a test needs to open its database; without `make` it lives in memory. */
export interface Named {
  readonly name: string;
  readonly make?: () => Promise<Database>;
}

const SQLITE: Named = { name: "SQLite" };

/** A database of each kind where `DATABASES=all` says so, else SQLite: statements are tested on both in `test/store`. */
export const useDatabases = (): readonly Named[] =>
  process.env.DATABASES === "all" ? useAllDatabases() : [SQLITE];

/**
 * A database of each kind, for tests of statements that `test/store` does not see alone. The tests of a file hand one
 * Postgres schema on to each other, emptied: migrating it takes longer than most of them.
 */
export function useAllDatabases(): readonly Named[] {
  const spare: Database[] = [];
  afterAll(async () => {
    for (const database of spare.splice(0)) await database.drop();
  });
  const make = async (): Promise<Database> => {
    const database = spare.pop() ?? (await makePostgres());
    return {
      ...database,
      async drop() {
        await empty(database).then(
          () => spare.push(database),
          () => database.drop(),
        );
      },
    };
  };
  return [SQLITE, { name: "Postgres", make }];
}

/**
 * Leaves what migrations write. A replica's role is what may empty tables that only grow; it takes a superuser. For few
 * rows, deleting them is quicker than truncating their tables.
 */
async function empty(database: Database): Promise<void> {
  const tables = await database.execute(
    `SELECT tablename AS name FROM pg_tables
      WHERE schemaname = current_schema() AND tablename NOT IN ('migrations', 'revisions')`,
  );
  const emptied = tables.map(({ name }) => `DELETE FROM "${name}"`).join("; ");
  await database.execute(
    `BEGIN; SET LOCAL session_replication_role = replica; ${emptied};
      UPDATE revisions SET value = 0; COMMIT`,
  );
}
