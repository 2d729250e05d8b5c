import { sql } from "kysely";
import type { Dialect } from "./dialect.ts";
import { divide, noTruncate, postgresPartitions } from "./postgres-partitions.ts";

const refuse = (table: string): string =>
  `CREATE FUNCTION ${table}_refuse() RETURNS trigger LANGUAGE plpgsql AS
   $$ BEGIN RAISE EXCEPTION '${table} is append-only'; END $$`;

const refuseDelete = (table: string, isRemovable: string): string =>
  `CREATE OR REPLACE FUNCTION ${table}_refuse_delete() RETURNS trigger LANGUAGE plpgsql AS
   $$ BEGIN
     IF ${isRemovable} THEN RETURN OLD; END IF;
     RAISE EXCEPTION '${table} is append-only';
   END $$`;

const member = (column: string, name: string): string => `(${column}::json ->> '${name}')`;

export const postgresDialect: Dialect = {
  supportsArrays: true,
  supportsPipelining: true,
  // The server ends a statement that takes many seconds.
  reportMs: 250,
  locks: {
    shared: sql`FOR NO KEY UPDATE`,
    exclusive: sql`FOR UPDATE`,
    skipLocked: sql`FOR UPDATE SKIP LOCKED`,
    numbered: (number) => sql`SELECT pg_advisory_xact_lock(${number})`,
    tables: (...tables) =>
      sql`LOCK TABLE ${sql.join(tables.map((table) => sql.table(table)))} IN SHARE ROW EXCLUSIVE MODE`,
  },
  json: {
    member,
    memberByName: (column, name) => sql`(${sql.ref(column)}::json ->> ${name})`,
    count: (column, name) =>
      `CASE WHEN ${member(column, name)} ~ '^[0-9]{1,16}$' THEN CAST(${member(column, name)} AS BIGINT) ELSE 0 END`,
    number: (column, name) =>
      `CASE WHEN ${member(column, name)} ~ '^[0-9]{1,12}([.][0-9]+)?$'
        THEN CAST(${member(column, name)} AS DOUBLE PRECISION) END`,
    entries: (column, alias) => `LATERAL json_each_text(${column}::json) AS ${alias}(key, value)`,
  },
  definitions: {
    integer: "BIGINT",
    strict: "",
    clustered: "",
    appendOnly(table, isKept) {
      const execute = `EXECUTE FUNCTION ${table}_refuse()`;
      return [
        refuse(table),
        ...(isKept === undefined
          ? [
              `CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
         FOR EACH STATEMENT ${execute}`,
            ]
          : [
              `CREATE TRIGGER ${table}_no_update BEFORE UPDATE ON ${table}
         FOR EACH ROW ${execute}`,
              `CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table}
         FOR EACH ROW WHEN (${isKept}) ${execute}`,
              `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
         FOR EACH STATEMENT ${execute}`,
            ]),
      ];
    },
    dropAppendOnly: (table) => [
      `DROP TRIGGER ${table}_append_only ON ${table}`,
      `DROP FUNCTION ${table}_refuse()`,
    ],
    appendOnlyUnless: (table, isRemovable) => [
      refuse(table),
      refuseDelete(table, isRemovable),
      `CREATE TRIGGER ${table}_no_update BEFORE UPDATE ON ${table}
         FOR EACH ROW EXECUTE FUNCTION ${table}_refuse()`,
      `CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table}
         FOR EACH ROW EXECUTE FUNCTION ${table}_refuse_delete()`,
      ...[table, `${table}_rest`].map((name) => noTruncate(table, name)),
    ],
    replaceRemovable: (table, isRemovable) => [refuseDelete(table, isRemovable)],
    divide,
  },
  partitions: postgresPartitions,
  isOneOf: (column, texts) => sql`${sql.ref(column)} = ANY(${texts}::text[])`,
  joined: (value) => `string_agg(${value}, ' ')`,
};
