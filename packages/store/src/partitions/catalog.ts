import type { RawBuilder } from "kysely";
import type { NewPartition, PartitionRange, PartitionStatements } from "../engine/dialect.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { type Month, monthAfter, startOf } from "../engine/month.ts";
import { first, run } from "../engine/statement.ts";
import type { Series } from "./series.ts";

/** A series in the database: the table that has the partitions of its months, and the first month. */
export interface Divided {
  series: Series;
  parent: string;
  first: Month;
}

/** Held by the process that changes partitions. */
const LOCK = 7_305_801_440_213;

/** The work of a statement that needs no values. */
export const execute = (text: string) => run({ sql: text, parameters: [] });

export const suffixOf = (month: Month): string => month.replace("-", "_");
/** The month at the end of a name. */
export const monthIn = (name: string): Month => name.slice(-7).replace("_", "-");

/** The range of a series from a month on. */
export const rangeFrom = ({ column, from, end }: Series, month: Month): PartitionRange => ({
  ...{ column, from: from(startOf(month)), to: end },
});

/** The partition of a month. */
export const partitionOf = ({ from, end: _, ...series }: Series, month: Month): NewPartition => ({
  ...series,
  name: `${series.name}_${suffixOf(month)}`,
  from: from(startOf(month)),
  to: from(startOf(monthAfter(month))),
});

/** Reads which partitions there are, and changes them. */
export function createCatalog(engine: Engine, statements: PartitionStatements) {
  const { db } = engine;
  /** The work of a statement about partitions. */
  const query = <R>(statement: RawBuilder<R>): Work<R[]> => run<R>(statement.compile(db));
  function* childrenOf(table: string): Work<string[]> {
    return (yield* query(statements.list(table))).map(({ name }) => name);
  }
  return {
    query,
    childrenOf,
    /** Undefined as long as its table is undivided. */
    *dividedOf(series: Series): Work<Divided | undefined> {
      const children = yield* childrenOf(series.table);
      const parent = children.find((name) => name.startsWith(`${series.name}_from_`));
      return parent === undefined ? undefined : { series, parent, first: monthIn(parent) };
    },
    /**
     * Runs work as the only process that changes partitions; undefined if another one does. Waits for locks only for a
     * moment, unless `isUnlimited`.
     */
    exclusive: <T>(work: () => Work<T>, { isUnlimited = false } = {}): Promise<T | undefined> =>
      engine.write(
        function* () {
          if (!isUnlimited) yield* execute(statements.begin);
          const lock = yield* first(query(statements.tryLock(LOCK)));
          return lock?.isLocked ? yield* work() : undefined;
        },
        isUnlimited ? { isUnlimited: true } : { separate: true },
      ),
  };
}

export type PartitionCatalog = ReturnType<typeof createCatalog>;
