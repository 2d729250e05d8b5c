/** A trigger of SQLite that refuses a change of rows; `when` limits it to some rows. */
export const appendOnlySqlite = (table: string, change: "UPDATE" | "DELETE", when = ""): string =>
  `CREATE TRIGGER ${table}_no_${change.toLowerCase()} BEFORE ${change} ON ${table} ${when && `WHEN ${when}`}
   BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`;

/** The function by which triggers of Postgres refuse changes of a table. */
export const refusal = (table: string): string =>
  `CREATE FUNCTION ${table}_refuse() RETURNS trigger LANGUAGE plpgsql AS
   $$ BEGIN RAISE EXCEPTION '${table} is append-only'; END $$`;
