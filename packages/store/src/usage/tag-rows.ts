import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../engine/dialect.ts";
import { HOUR_OF, IS_PRESENT, withTags } from "./recount.ts";
import { MOST_TAGS } from "./tag-tally.ts";

/** The tags of each hour, with the time of the first generation of each. */
const tagsByHour = (dialect: Dialect): string =>
  `SELECT g.account_id, ${HOUR_OF} AS hour, t.key AS name, t.value AS value, MIN(g.created_at) AS began
    FROM ${withTags(dialect)} WHERE g.tags IS NOT NULL AND ${IS_PRESENT} AND g.status <> 'pending' GROUP BY 1, 2, 3, 4`;

/** The tags that get separate sums when these are recomputed: those whose first generation began earliest. */
export const valuesOf = (dialect: Dialect): string =>
  `SELECT account_id, hour, name, value FROM (
      SELECT account_id, hour, name, value,
        ROW_NUMBER() OVER (PARTITION BY account_id, hour ORDER BY began, name, value) AS place
      FROM (${tagsByHour(dialect)}) AS found) AS placed
    WHERE place <= ${MOST_TAGS}`;

/** The tags that are not counted although the hour has room for them. */
export const uncounted = (
  dialect: Dialect,
): RawBuilder<{ subject: string; expected: string; actual: string }> =>
  sql`SELECT f.account_id || ' ' || CAST(f.hour AS TEXT) AS subject, f.name || '=' || f.value AS expected,
      'not counted' AS actual
    FROM (${sql.raw(tagsByHour(dialect))}) AS f
    WHERE NOT EXISTS (SELECT 1 FROM hourly_tag_values AS v
        WHERE v.account_id = f.account_id AND v.hour = f.hour AND v.name = f.name AND v.value = f.value)
      AND (SELECT COUNT(*) FROM hourly_tag_values AS v WHERE v.account_id = f.account_id AND v.hour = f.hour)
        < ${sql.lit(MOST_TAGS)}`;
