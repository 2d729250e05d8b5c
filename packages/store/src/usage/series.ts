import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import { type GenerationFilter, hasOneOf, type OneOf } from "./generation-filter.ts";
import { pieces } from "./pieces.ts";
import { createRepair } from "./repair.ts";
import { PACE_COLUMNS, PACES, SUMS, type Sum } from "./sums.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The shortest piece, because each piece must search the index for every account. */
const SHORTEST = 6 * HOUR;

/** The lengths of the parts into which a series cuts its range, all in UTC: see `bucketOf`. */
export const BUCKETS = ["hour", "day", "week", "month"] as const;
/** One of `BUCKETS`. */
export type Bucket = (typeof BUCKETS)[number];
/** The properties by which usage can be split; usage of several accounts can also be split by `account`. */
export const SPLITS = ["model", "key", "modality", "status", "surface", "entry"] as const;
export type Split = (typeof SPLITS)[number];

/** The range in whole hours, in ms, and the conditions on generations. */
export type SeriesFilter = Pick<
  GenerationFilter,
  "keyId" | "model" | "modality" | "status" | "surface" | "entry"
> & {
  /** Absent: all accounts. */
  accountId?: string;
  from: number;
  to: number;
  /** Only generations with a tag of this name and, if given, this value. */
  tag?: { name: string; value?: string };
};

/** The sums over one bucket, or over all. */
export type UsageSums = Record<Sum, number> & {
  /** The number of requests with the outcome `failed`. */
  failed: number;
  /** The number of requests in each class of durations. */
  paces: readonly number[];
};
/** One point of a series: the sums of a bucket, or of one name in it if the series is split. */
export interface UsagePoint extends UsageSums {
  /** The beginning of the bucket; without buckets, of the range. */
  at: number;
  /** The model, key, modality, status, surface, entry, account or tag value; absent without a split. */
  name?: string;
}

/** The usage of ended generations, from their hourly sums. */
export interface Usage {
  /**
   * Sums by bucket, or over the whole range without one; empty buckets are left out. `tag` splits by the values of the
   * filter's tag; values beyond those with separate sums in an hour share an empty name.
   */
  series(
    filter: SeriesFilter,
    as: { by?: Split | "account" | "tag"; bucket?: Bucket },
  ): Promise<UsagePoint[]>;
  /** The spending of each account since a whole hour, in micro-USD; accounts without spending are left out. */
  spent(accountIds: readonly string[], from: number): Promise<ReadonlyMap<string, number>>;
  /** Recomputes the sums if any differs from its generations; resolves to how many did. */
  repair(): Promise<number>;
}

/** The beginning of the bucket that contains a moment, in UTC; weeks begin on Monday. */
export function bucketOf(at: number, bucket: Bucket): number {
  const day = at - (at % DAY);
  switch (bucket) {
    case "hour":
      return at - (at % HOUR);
    case "day":
      return day;
    case "week":
      // 1970-01-01 was a Thursday.
      return day - ((day + 3 * DAY) % (7 * DAY));
    case "month": {
      const date = new Date(day);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    }
  }
}

const COLUMNS = {
  ...{ model: "model", key: "key_id", modality: "modality", status: "status" },
  ...{ surface: "surface", entry: "entry", account: "account_id" },
  tag: "value",
} as const;
type SumRow = Record<Sum | "at" | "failed", number> & Record<string, number | string> & { name: string };

export function createUsage(engine: Engine): Usage {
  const { db, dialect } = engine;
  return {
    async spent(accountIds, from) {
      if (accountIds.length === 0) return new Map();
      const rows = await engine.delayed(() =>
        run(
          db
            .selectFrom("hourly_sums")
            .select(["account_id", sql<number>`CAST(SUM(cost) AS BIGINT)`.as("cost")])
            .where("account_id", "in", accountIds)
            .where("hour", ">=", from)
            .groupBy("account_id"),
        ),
      );
      return new Map(rows.map(({ account_id, cost }) => [account_id, cost]));
    },
    repair: createRepair(engine),
    async series({ accountId, keyId, from, to, tag, ...same }, { by, bucket }) {
      const chosen: Record<string, OneOf<string> | undefined> = { key_id: keyId, ...same, ...tag };
      const table = sql.table(tag ? "hourly_tag_sums" : "hourly_sums");
      const where = Object.entries(chosen).flatMap(([name, value]) =>
        value === undefined ? [] : [hasOneOf(name, value, dialect)],
      );
      // The index is by account and hour: naming all accounts avoids reading other rows.
      const at = bucket === "hour" ? sql`hour` : bucket ? sql`hour - hour % ${sql.lit(DAY)}` : sql.lit(0);
      const total = (value: string) => sql`CAST(SUM(${sql.raw(value)}) AS BIGINT)`;
      const sums = [...SUMS, ...PACE_COLUMNS].map((name) => sql`${total(name)} AS ${sql.ref(name)}`);
      // Without groups, a query over nothing would still return one row.
      const groups = bucket || by ? sql`GROUP BY 1, 2` : sql`HAVING COUNT(*) > 0`;
      const query = (accounts: readonly string[], from: number, to: number) => sql<SumRow>`SELECT ${at} AS at,
          ${by ? sql.ref(COLUMNS[by]) : sql`''`} AS name,
          ${total("CASE status WHEN 'failed' THEN requests ELSE 0 END")} AS failed, ${sql.join(sums)}
        FROM ${table}
        WHERE ${sql.join([...where, dialect.isOneOf("account_id", accounts), sql`hour >= ${from} AND hour < ${to}`], sql` AND `)}
        ${groups}`;
      const accounts =
        accountId === undefined
          ? await engine.delayed(() => run(db.selectFrom("accounts").select("id").orderBy("id")))
          : [{ id: accountId }];
      const ids = accounts.map(({ id }) => id);
      const points = new Map<string, Mutable>();
      for await (const piece of pieces(engine, ids, { from, to }, SHORTEST)) {
        const { sql: text, parameters } = query(piece.accounts, piece.from, piece.to).compile(db);
        for (const row of await engine.delayed(() => run<SumRow>({ sql: text, parameters }))) {
          const start = bucket ? bucketOf(row.at, bucket) : from;
          const place = `${start} ${row.name}`;
          let point = points.get(place);
          if (point === undefined) {
            point = { at: start, ...(by && { name: row.name }), ...nothing() };
            points.set(place, point);
          }
          add(point, row);
          for (const [pace, column] of PACE_COLUMNS.entries()) point.paces[pace]! += row[column] as number;
        }
      }
      return [...points.values()]
        .filter(({ requests }) => requests > 0)
        .sort((a, b) => a.at - b.at || (a.name! < b.name! ? -1 : 1));
    },
  };
}

type Mutable = Omit<UsagePoint, "paces"> & { paces: number[] };

const nothing = () => ({
  ...(Object.fromEntries(SUMS.map((name) => [name, 0])) as Record<Sum, number>),
  failed: 0,
  paces: Array.from({ length: PACES.length + 1 }, () => 0),
});

function add(point: Mutable, sums: Record<Sum | "failed", number>): void {
  for (const name of SUMS) point[name] += sums[name];
  point.failed += sums.failed;
}

/** Adds up points. */
export function sumOf(points: readonly UsageSums[]): UsageSums {
  const sum = { at: 0, ...nothing() };
  for (const point of points) {
    add(sum, point);
    for (const [pace, count] of point.paces.entries()) sum.paces[pace]! += count;
  }
  const { at: _, ...sums } = sum;
  return sums;
}

/** The duration that a share of the requests did not exceed, estimated as if each class were evenly spread. */
export function quantile(paces: readonly number[], share: number): number | undefined {
  const total = paces.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let left = share * total;
  for (const [pace, count] of paces.entries()) {
    if (left <= count && count > 0) {
      const from = PACES[pace - 1] ?? 0;
      const to = PACES[pace] ?? from;
      return Math.round(from + ((to - from) * left) / count);
    }
    left -= count;
  }
  return PACES.at(-1);
}
