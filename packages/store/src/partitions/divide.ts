import type { PartitionStatements } from "../engine/dialect.ts";
import { DAY } from "../engine/durations.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { type ErrorFields, errorFields } from "../engine/error-fields.ts";
import type { StoreLog } from "../engine/log.ts";
import { type Month, monthAfter, monthOf, startOf } from "../engine/month.ts";
import { first } from "../engine/statement.ts";
import { execute, monthIn, type PartitionCatalog, rangeFrom, suffixOf } from "./catalog.ts";
import { SERIES, type Series } from "./series.ts";

/** How a table is divided, which tests replace. */
export interface DivisionOptions {
  /** The size up to which a table is divided in one transaction, in bytes. */
  small?: number;
}

/** The default of `small`: reading so many rows takes some milliseconds, for which requests wait. */
const SMALL = 32 * 1024 * 1024;

/**
 * A larger table gets a constraint against the rows of a month `EARLY` ms before the month, which is dropped again
 * `LATE` ms before it if the table could not be divided until then.
 */
const EARLY = 14 * DAY;
const LATE = 2 * DAY;

/** Divides tables by months. */
export interface Division {
  /** Divides a table that is not divided; the signal ends it at its next step. */
  divide(table: string, now: number, signal?: AbortSignal): Promise<void>;
  /** Drops the constraints of divisions that were not completed in time: they would soon refuse rows. */
  dropDueConstraints(now: number): Promise<void>;
}

const TABLES = new Set(SERIES.map(({ table }) => table));
const seriesOf = (table: string): Series[] => SERIES.filter((series) => series.table === table);

/**
 * Divides tables from a month on of which they have no rows yet. All earlier rows stay in one partition: none is moved,
 * and only small tables are read while requests wait.
 */
export function createDivision(
  { read }: Pick<Engine, "read">,
  statements: PartitionStatements,
  { exclusive, dividedOf, query }: PartitionCatalog,
  log: StoreLog | undefined,
  { small = SMALL }: DivisionOptions = {},
): Division {
  /** Tables that cannot be divided, because another program wrote ids of later months. */
  const undividable = new Set<string>();

  function* divide(table: string, month: Month): Work<void> {
    for (const series of seriesOf(table)) {
      const { end: _, ...rest } = series;
      const parent = {
        ...rest,
        name: `${series.name}_from_${suffixOf(month)}`,
        ...rangeFrom(series, month),
      };
      for (const text of statements.addDivided(table, parent)) yield* execute(text);
    }
  }

  function* hasRowsFrom(table: string, month: Month): Work<boolean> {
    for (const series of seriesOf(table)) {
      const { column, from, to } = rangeFrom(series, month);
      const rows = `SELECT 1 FROM ${table}_rest WHERE ${column} >= ${from} AND ${column} < ${to} LIMIT 1`;
      if ((yield* execute(rows)).length > 0) return true;
    }
    return false;
  }

  /** Divides a small table. False if it is large. */
  function* divideSmall(table: string, now: number): Work<boolean> {
    if (yield* dividedOf(seriesOf(table)[0]!)) return true;
    const rest = yield* first(query(statements.size(`${table}_rest`)));
    if ((rest?.bytes ?? 0) > small) return false;
    const month = monthOf(now);
    for (const start of [month, monthAfter(month)])
      if (!(yield* hasRowsFrom(table, start))) {
        yield* divide(table, start);
        return true;
      }
    giveUp(table, { error: "rows of coming months" });
    return true;
  }

  /** The constraint by which a table takes no rows from a month on; one that would soon refuse rows is dropped. */
  function* findExclusion(table: string, now: number): Work<{ name: string; isChecked: number } | undefined> {
    const found = yield* first(query(statements.exclusions(`${table}_rest`)));
    if (!found || startOf(monthIn(found.name)) - now > LATE) return found;
    yield* execute(statements.include(`${table}_rest`, found.name));
    return undefined;
  }

  function* exclude(table: string, now: number): Work<{ name: string; isChecked: number }> {
    const found = yield* findExclusion(table, now);
    if (found) return found;
    const month = monthAfter(monthOf(now + EARLY));
    const name = `${table}_ends_${suffixOf(month)}`;
    const ranges = seriesOf(table).map((series) => rangeFrom(series, month));
    yield* execute(statements.exclude(`${table}_rest`, name, ranges));
    return { name, isChecked: 0 };
  }

  /**
   * Divides a large table in steps. The database must know that the table has no rows of the month: a constraint says
   * so, which it verifies without blocking requests. A process may end after any step: the next one continues.
   */
  async function divideLarge(table: string, now: number, signal?: AbortSignal): Promise<void> {
    const rest = `${table}_rest`;
    const constraint = await exclusive(() => exclude(table, now));
    if (!constraint) return;
    const { name, isChecked } = constraint;
    let stop = (): void => {};
    function* check(): Work<boolean> {
      if (signal?.aborted) return false;
      const { id = 0 } = (yield* first(query(statements.self))) ?? {};
      stop = () => void read(() => query(statements.cancel(id))).catch(() => {});
      yield* execute(statements.check(rest, name));
      return true;
    }
    const onAbort = (): void => stop();
    signal?.addEventListener("abort", onAbort);
    try {
      if (!isChecked && !(await exclusive(check, { isUnlimited: true }))) return;
    } catch (error) {
      if (!statements.isViolation(error)) throw error;
      await exclusive(() => execute(statements.include(rest, name)));
      return giveUp(table, errorFields(error));
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
    await exclusive(function* () {
      yield* divide(table, monthIn(name));
      yield* execute(statements.include(rest, name));
    });
  }

  function giveUp(table: string, why: ErrorFields): void {
    undividable.add(table);
    log?.warn({ table, ...why }, "table not divided by month");
  }

  return {
    async divide(table, now, signal) {
      if (undividable.has(table) || (await read(() => dividedOf(seriesOf(table)[0]!)))) return;
      if ((await exclusive(() => divideSmall(table, now))) === false) await divideLarge(table, now, signal);
    },
    async dropDueConstraints(now) {
      for (const table of TABLES) await exclusive(() => findExclusion(table, now));
    },
  };
}
