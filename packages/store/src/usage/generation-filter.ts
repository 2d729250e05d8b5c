import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Dialect } from "../engine/dialect.ts";
import { idsOf } from "../engine/id-time.ts";
import type { Tables } from "../engine/tables.ts";
import type { Generation, Modality, Outcome, Tags } from "./generation.ts";
import { MEMBERS } from "./generation-columns.ts";

/** A value, or several of which any matches. */
export type OneOf<T> = T | readonly T[];

/** Conditions on generations, which must meet all of them; an absent member allows any. */
export interface GenerationFilter {
  /** Absent: all accounts. */
  accountId?: OneOf<string>;
  /** The ids of keys, also of revoked ones. */
  keyId?: OneOf<string>;
  /** What was generated. */
  modality?: Modality;
  /** The caller's names for models, exactly. */
  model?: OneOf<string>;
  /** Absent: all that have ended. */
  status?: Generation["status"] | readonly Outcome[];
  /** The first moment at which they were created, in ms. */
  from?: number;
  /** The moment before which they were created, in ms. */
  to?: number;
  /** Generations that have all of these tags. */
  tags?: Tags;
  /** The id of the end user, as the caller sent it. */
  user?: string;
  /** The name of the surface: `chatstyle`. */
  surface?: string;
  /** The id of the model entry that served it. */
  entry?: OneOf<string>;
  /** The id of the provider that served it. */
  provider?: OneOf<string>;
  /** The least cost, in micro-USD. */
  minCost?: number;
  /** The least duration, in ms. */
  minDuration?: number;
  /** Whether the translation lost something. */
  hasLosses?: boolean;
  /** Whether it was translated for its provider. */
  isTranslated?: boolean;
  /** The id of the request, as the caller's answer had it. */
  requestId?: string;
  /** The id of the batch of whose lines they are. */
  batch?: string;
}

/** The filter's accounts and range: with these alone, an index finds the first and the last generation. */
export const momentsOf = ({ accountId, from, to }: GenerationFilter): GenerationFilter => ({
  ...(accountId !== undefined && { accountId }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

/** Checks whether a filter has conditions that the index does not have. */
export function isNarrowed({ accountId: _, from: _from, to: _to, ...narrowing }: GenerationFilter): boolean {
  return Object.values(narrowing).some((value) => value !== undefined);
}

/** The id of the model entry that served a generation, or NULL. */
export const servedBy = ({ json }: Dialect): RawBuilder<string | null> =>
  sql.raw(json.member("generations.route", "entry"));

/** The members of a filter that a generation has with the same value. */
const EQUAL = ["accountId", "status", "keyId", "modality", "model", "user", "surface"] as const;

/** A condition: a column has the value, or one of several. */
export const hasOneOf = (column: string, value: OneOf<string>, dialect: Dialect): RawBuilder<SqlBool> =>
  typeof value === "string" ? sql`${sql.ref(column)} = ${value}` : dialect.isOneOf(column, value);

/** A member of the route, as text; a boolean is `1` on SQLite and `true` on Postgres. */
const inRoute = ({ json }: Dialect, member: string) =>
  sql.raw<string>(json.member("generations.route", member));

/** A condition: a member of the route has the value, or one of several. */
const inRouteOneOf = (dialect: Dialect, member: string, value: OneOf<string>): RawBuilder<SqlBool> =>
  sql`${inRoute(dialect, member)} IN (${sql.join([value].flat())})`;

const not = (is: boolean, condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  is ? condition : sql`NOT ${condition}`;

/** A condition: the id of the request begins with that of the batch. `LIKE` would read the `_` of ids as any letter. */
export function isLineOf(batch: string, request: RawBuilder<string>): RawBuilder<SqlBool> {
  const start = `${batch}/`;
  return sql`substr(${request}, 1, ${sql.lit([...start].length)}) = ${start}`;
}

/**
 * A condition on ids by which only the partitions of the range are searched; without it, the index of every month would
 * be searched for each account. Ids that do not begin with a time may be in any partition.
 */
function inPartitions(
  { accountId, from, to }: GenerationFilter,
  { partitions }: Dialect,
): RawBuilder<SqlBool>[] {
  if (!partitions || typeof accountId === "string" || from === undefined || to === undefined) return [];
  const ids = idsOf({ from, to });
  const id = sql.ref("generations.id");
  return [sql`((${id} >= ${ids.from} AND ${id} < ${ids.to}) OR ${id} < '0' OR ${id} >= '1')`];
}

/** The condition of a filter on the rows of `generations`. */
export function matches(
  row: ExpressionBuilder<Tables, "generations">,
  filter: GenerationFilter,
  dialect: Dialect,
) {
  const { status, from, to, tags = {}, entry, provider, minCost, minDuration, requestId, batch } = filter;
  const { hasLosses, isTranslated } = filter;
  const lost = sql<SqlBool>`(${inRoute(dialect, "losses")} IS NOT NULL OR ${inRoute(dialect, "replyLosses")} IS NOT NULL)`;
  const translated = sql<SqlBool>`COALESCE(CAST(${inRoute(dialect, "translated")} AS TEXT), '') IN ('1', 'true')`;
  return row.and([
    ...EQUAL.flatMap((member) => {
      const value = filter[member];
      return value === undefined ? [] : [hasOneOf(MEMBERS[member], value, dialect)];
    }),
    // The same condition as the partial index has, so that the database uses it.
    ...(status === "pending" ? [] : [row("status", "<>", sql.lit("pending"))]),
    ...(from === undefined ? [] : [row("created_at", ">=", from)]),
    ...(to === undefined ? [] : [row("created_at", "<", to)]),
    ...inPartitions(filter, dialect),
    ...Object.entries(tags).map(([name, value]) => row(dialect.json.memberByName("tags", name), "=", value)),
    ...(entry === undefined ? [] : [inRouteOneOf(dialect, "entry", entry)]),
    ...(provider === undefined ? [] : [inRouteOneOf(dialect, "provider", provider)]),
    ...(minCost === undefined ? [] : [row("cost", ">=", minCost)]),
    ...(minDuration === undefined ? [] : [row("duration_ms", ">=", minDuration)]),
    ...(hasLosses === undefined ? [] : [not(hasLosses, lost)]),
    ...(isTranslated === undefined ? [] : [not(isTranslated, translated)]),
    ...(requestId === undefined ? [] : [row(inRoute(dialect, "requestId"), "=", requestId)]),
    ...(batch === undefined ? [] : [isLineOf(batch, inRoute(dialect, "requestId"))]),
  ]);
}
