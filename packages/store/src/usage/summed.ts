import { type RawBuilder, type SqlBool, sql } from "kysely";
import { REMOVED_UNTIL } from "../archive/removed.ts";
import { HOUR } from "../engine/durations.ts";
import type { Engine } from "../engine/engine.ts";
import { first, run } from "../engine/statement.ts";
import { type GenerationFilter, hasOneOf, type OneOf } from "./generation-filter.ts";

interface Range {
  from: number;
  to: number;
}

/** The column of the hourly sums for each member of a filter that they are kept by. */
const COLUMNS = {
  ...{ accountId: "account_id", keyId: "key_id", model: "model", modality: "modality" },
  ...{ status: "status", surface: "surface", entry: "entry" },
} as const;

const MEMBERS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/**
 * The conditions on hourly sums for a filter, without those by which no sums are kept. There are none for pending
 * generations, which are not summed yet.
 */
function conditionsOf({ dialect }: Engine, { from: _, to: _to, ...filter }: GenerationFilter) {
  if (filter.status === "pending") return { conditions: [], isAll: false };
  const conditions = MEMBERS.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [hasOneOf(COLUMNS[name], value, dialect)];
  });
  const given = Object.values(filter).filter((value) => value !== undefined);
  return { conditions, isAll: conditions.length === given.length };
}

/** Conditions on hourly sums: their hour has a part of the range. */
const hoursOf = ({ from, to }: Range) => [sql<SqlBool>`hour > ${from - HOUR}`, sql<SqlBool>`hour < ${to}`];

const every = (conditions: readonly RawBuilder<SqlBool>[]) => sql.join(conditions, sql` AND `);

/** The part of a range that can have generations of a filter, by the sums of its hours. */
export async function narrow(engine: Engine, filter: GenerationFilter, { from, to }: Range): Promise<Range> {
  const { conditions } = conditionsOf(engine, filter);
  if (conditions.length === 0) return { from, to };
  type Hours = { oldest: number | null; newest: number | null };
  const query = sql<Hours>`SELECT MIN(hour) AS oldest, MAX(hour) AS newest FROM hourly_sums
    WHERE ${every([...conditions, ...hoursOf({ from, to })])}`.compile(engine.db);
  const { oldest, newest } = (await engine.delayed(() => first(run<Hours>(query))))!;
  if (oldest === null || newest === null) return { from: to - 1, to };
  return { from: Math.max(from, oldest), to: Math.min(to, newest + HOUR) };
}

/** The accounts of a filter that can have generations of it in a range, by the sums of its hours. */
export async function accountsIn(
  engine: Engine,
  filter: GenerationFilter & { accountId: OneOf<string> },
  { from, to }: Range,
): Promise<OneOf<string>> {
  const { accountId, ...rest } = filter;
  if (typeof accountId === "string" || conditionsOf(engine, rest).conditions.length === 0) return accountId;
  const { conditions } = conditionsOf(engine, filter);
  const query = sql<{ id: string }>`SELECT DISTINCT account_id AS id FROM hourly_sums
    WHERE ${every([...conditions, ...hoursOf({ from, to })])}`.compile(engine.db);
  return (await engine.delayed(() => run<{ id: string }>(query))).map(({ id }) => id);
}

/**
 * A query that counts the generations of a filter by their hourly sums; undefined if no sums have all conditions of the
 * filter. Hours of removed generations are excluded, because their sums are kept.
 */
export function countQuery(engine: Engine, filter: GenerationFilter) {
  const { conditions, isAll } = conditionsOf(engine, filter);
  const { from = 0, to = 0 } = filter;
  if (!isAll || from % HOUR !== 0 || to % HOUR !== 0) return undefined;
  const inRange = [
    sql<SqlBool>`hour >= ${from}`,
    sql<SqlBool>`hour >= ${sql.raw(REMOVED_UNTIL)}`,
    ...(filter.to === undefined ? [] : [sql<SqlBool>`hour < ${to}`]),
  ];
  return sql<{ total: number }>`SELECT CAST(COALESCE(SUM(requests), 0) AS BIGINT) AS total FROM hourly_sums
    WHERE ${every([...conditions, ...inRange])}`.compile(engine.db);
}
