import type { Database } from "../databases/database.ts";

/**
 * Reads the definitions of a database from its catalog, as statements that make the same one, in one order. Spaces are
 * of no account.
 */
export async function describeSchema({ dialect, execute }: Database): Promise<string[]> {
  const rows = await execute(dialect === "sqlite" ? SQLITE : POSTGRES);
  const [schema] = dialect === "sqlite" ? [] : await execute("SELECT current_schema() AS name");
  return rows
    .map(({ text }) => String(text))
    .map((text) => (schema ? text.replaceAll(`${schema.name}.`, "") : text))
    .map((text) =>
      text
        .replaceAll('"', "")
        .replace(/\s+/g, " ")
        .replace(/ ?([(),]) ?/g, "$1")
        .trim(),
    );
}

/** Indexes that belong to a constraint of a table have no text. */
const SQLITE = `SELECT sql AS text FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
  ORDER BY CASE type WHEN 'table' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, name`;

const POSTGRES = `
  SELECT text FROM (
    SELECT 1 AS step, proname AS name, pg_get_functiondef(oid) AS text
      FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
    UNION ALL
    SELECT 2, relname, 'CREATE TABLE ' || relname || ' (' || (
        SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod)
            || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
            || COALESCE(' DEFAULT ' || pg_get_expr(adbin, adrelid), ''), ', ' ORDER BY attnum)
          FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
          WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped) || ')'
      FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
    UNION ALL
    SELECT CASE contype WHEN 'f' THEN 4 ELSE 3 END, relname || ' ' || conname,
        'ALTER TABLE ' || relname || ' ADD CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
      FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
      WHERE connamespace = current_schema()::regnamespace AND contype IN ('p', 'u', 'c', 'f')
    UNION ALL
    SELECT 5, relname, pg_get_indexdef(pg_class.oid)
      FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'i'
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = pg_class.oid AND contype IN ('p', 'u'))
    UNION ALL
    SELECT 6, tgname, pg_get_triggerdef(pg_trigger.oid)
      FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
      WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal
  ) AS definitions ORDER BY step, name COLLATE "C"`;
