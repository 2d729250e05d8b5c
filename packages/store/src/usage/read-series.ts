import { type RawBuilder, sql } from "kysely";
import { DAY, HOUR } from "../engine/durations.ts";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import type { CountFilter, Refusals } from "../requests/refusals.ts";
import { hasOneOf, type OneOf } from "./generation-filter.ts";
import { pieces } from "./pieces.ts";
import { addLatencies, addRow, type LatencyRow, newSums, type SumRow, type UsagePoint } from "./points.ts";
import { type Bucket, bucketOf, type SeriesFilter, type Split } from "./series.ts";
import { PACE_COLUMNS, SUMS } from "./sums.ts";

/** The shortest piece, because each piece must search the index for every account. */
const SHORTEST = 6 * HOUR;

const COLUMNS = {
  ...{ model: "model", key: "key_id", modality: "modality", status: "status" },
  ...{ surface: "surface", entry: "entry", account: "account_id" },
  tag: "value",
} as const;

/** How sums are split, and cut by time. */
export interface SeriesForm {
  by?: Split | "account" | "tag";
  bucket?: Bucket;
}

/** The splits that counts of refused requests have. */
const COUNTED = new Set<string | undefined>([undefined, "key", "account", "status"]);

/**
 * The filter of a series as conditions on refused requests; undefined if refusals are not counted by one of its
 * conditions.
 */
function refusalFilter(
  { accountId, keyId, from, to, status, code, ...others }: SeriesFilter,
  { by }: SeriesForm,
): (CountFilter & { isChosen: boolean }) | undefined {
  if (!COUNTED.has(by) || Object.values(others).some((value) => value !== undefined)) return undefined;
  return {
    ...{ from, to, isChosen: status === undefined || [status].flat().includes("refused") },
    ...(accountId !== undefined && { accountId }),
    ...(keyId !== undefined && { keyId }),
    ...(code !== undefined && { code }),
  };
}

/** Counts the refused requests that a filter chooses; `undefined` if they are not counted by one of its conditions. */
export async function readRefused(
  refusals: Pick<Refusals, "sums">,
  filter: SeriesFilter,
): Promise<number | undefined> {
  const refused = refusalFilter(filter, {});
  if (!refused?.isChosen) return refused && 0;
  return (await refusals.sums(refused, {})).reduce((sum, { count }) => sum + count, 0);
}

/** Reads sums and latencies, piece by piece, and the counts of refused requests. */
export async function readSeries(
  engine: Engine,
  refusals: Pick<Refusals, "sums">,
  filter: SeriesFilter,
  { by, bucket }: SeriesForm,
): Promise<UsagePoint[]> {
  const { accountId, keyId, from, to, tag, code, status: statuses, ...rest } = filter;
  const refused = refusalFilter(filter, { ...(by && { by }) });
  const outcomes = statuses === undefined ? undefined : [statuses].flat().filter((one) => one !== "refused");
  const same = { ...rest, status: outcomes };
  const { db, dialect } = engine;
  const chosen: Record<string, OneOf<string> | undefined> = { key_id: keyId, ...same, ...tag };
  const where = Object.entries(chosen).flatMap(([name, value]) =>
    value === undefined ? [] : [hasOneOf(name, value, dialect)],
  );
  const at = bucket === "hour" ? sql`hour` : bucket ? sql`hour - hour % ${sql.lit(DAY)}` : sql.lit(0);
  // Without groups, SQL returns a row even for no rows.
  const groups = bucket || by ? sql`GROUP BY 1, 2` : sql`HAVING COUNT(*) > 0`;
  const read = <R>(
    table: string,
    columns: readonly RawBuilder<unknown>[],
    { accounts, ...range }: { accounts: readonly string[]; from: number; to: number },
  ): Promise<R[]> => {
    const { sql: text, parameters } = sql<R>`SELECT ${at} AS at,
        ${by ? sql.ref(COLUMNS[by]) : sql`''`} AS name, ${sql.join(columns)}
      FROM ${sql.table(tag ? table.replace("_", "_tag_") : table)}
      WHERE ${sql.join(
        // The index is by account and hour: naming all accounts avoids reading other rows.
        [
          ...where,
          dialect.isOneOf("account_id", accounts),
          sql`hour >= ${range.from} AND hour < ${range.to}`,
        ],
        sql` AND `,
      )} ${groups}`.compile(db);
    return engine.delayed(() => run<R>({ sql: text, parameters }));
  };
  const ids =
    accountId === undefined
      ? (await engine.delayed(() => run(db.selectFrom("accounts").select("id").orderBy("id")))).map(
          ({ id }) => id,
        )
      : [accountId];
  const points = new Map<string, UsagePoint>();
  const pointOf = (row: { at: number; name: string }): UsagePoint => {
    const start = bucket ? bucketOf(row.at, bucket) : from;
    const place = `${start} ${row.name}`;
    let point = points.get(place);
    if (point === undefined) {
      point = { at: start, ...(by && { name: row.name }), ...newSums(refused !== undefined) };
      points.set(place, point);
    }
    return point;
  };
  if (refused?.isChosen) {
    const split = by === "key" || by === "account" ? { by } : {};
    const cut = bucket ? { bucket: bucket === "hour" ? bucket : ("day" as const) } : {};
    for (const { at, name, count } of await refusals.sums(refused, { ...split, ...cut })) {
      const point = pointOf({ at, name: by === "status" ? "refused" : name });
      point.refused = (point.refused ?? 0) + count;
    }
  }
  if (code !== undefined || outcomes?.length === 0) return sorted(points.values());
  for await (const piece of pieces(engine, ids, { from, to }, SHORTEST)) {
    for (const row of await read<SumRow>("hourly_sums", SUM_COLUMNS, piece)) addRow(pointOf(row), row);
    for (const row of await read<LatencyRow>("hourly_latencies", latencyColumns(engine), piece))
      addLatencies(pointOf(row), row);
  }
  return sorted(points.values());
}

const sorted = (points: Iterable<UsagePoint>): UsagePoint[] =>
  [...points]
    .filter(({ requests, refused = 0 }) => requests + refused > 0)
    .sort((a, b) => a.at - b.at || (a.name! < b.name! ? -1 : 1));

const total = (value: string) => sql`CAST(SUM(${sql.raw(value)}) AS BIGINT)`;
const SUM_COLUMNS = [
  sql`${total("CASE status WHEN 'failed' THEN requests ELSE 0 END")} AS failed`,
  ...[...SUMS, ...PACE_COLUMNS].map((name) => sql`${total(name)} AS ${sql.ref(name)}`),
];
const latencyColumns = ({ dialect }: Engine) => [
  ...["durations", "firsts"].map((name) => sql.raw(`${dialect.joined(name)} AS ${name}`)),
  ...["longest", "longest_first"].map((name) => sql.raw(`CAST(MAX(${name}) AS BIGINT) AS ${name}`)),
];
