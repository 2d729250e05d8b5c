import type { Engine, Work } from "../engine/engine.ts";
import type { StoreLog } from "../engine/log.ts";
import { type Month, monthAfter, monthOf, startOf } from "../engine/month.ts";
import { createCatalog, type Divided, execute, monthIn, partitionOf } from "./catalog.ts";
import { createDivision, type DivisionOptions } from "./divide.ts";
import { SERIES, type Series } from "./series.ts";

/** The partitions of tables by month. On a database that has none, nothing happens. */
export interface Partitions {
  /**
   * Makes the partitions of this month and the next, and divides tables of a database that had none. To be called at
   * each start and every hour, by any number of processes. Rows of a month without a partition go to the rest of their
   * table, so no request fails where this was not called. The signal ends it at its next step.
   */
  keep(now: number, signal?: AbortSignal): Promise<void>;
}

/** The work on partitions that the store itself does. */
export interface PartitionWorks extends Partitions {
  /** Drops constraints that would soon refuse rows. To be called before the first request. */
  open(now: number): Promise<void>;
  /** Drops the partitions of whole months before a time. */
  dropBefore(series: Series["name"], before: number): Promise<void>;
  /**
   * The work of dropping the partitions of a month, for all of these series or none. False if a long query holds one of
   * them.
   */
  drop(series: readonly Series["name"][], month: Month): Work<boolean>;
  /** The partition of a month, if it has one. */
  find(series: Series["name"], month: Month): Work<string | undefined>;
}

/** The most rows that are moved from the rest into a new partition, while writers wait. */
const MOVED = 100_000;

/**
 * The number of tries to drop partitions. Each waits only a moment for running queries, since new ones wait behind it.
 */
const TRIES = 10;

const NONE: PartitionWorks = {
  open: async () => {},
  keep: async () => {},
  dropBefore: async () => {},
  // biome-ignore lint/correctness/useYield: there is nothing to drop.
  *drop() {
    return true;
  },
  // biome-ignore lint/correctness/useYield: there is nothing to find.
  *find() {
    return undefined;
  },
};

export function createPartitions(
  engine: Engine,
  log: StoreLog | undefined,
  options?: DivisionOptions,
): PartitionWorks {
  const { partitions: statements } = engine.dialect;
  if (!statements) return NONE;
  const catalog = createCatalog(engine, statements);
  const { exclusive, childrenOf, dividedOf } = catalog;
  const { divide, dropDueConstraints } = createDivision(engine, statements, catalog, log, options);

  const seriesOf = (name: Series["name"]): Series => SERIES.find((series) => series.name === name)!;

  /** Creates the partition of a month, and moves the month's rows from the rest into it. */
  function* add({ series, parent }: Divided, month: Month): Work<void> {
    const partition = partitionOf(series, month);
    const { name, column, from, to } = partition;
    if ((yield* childrenOf(parent)).includes(name)) return;
    const rest = `${parent}_rest`;
    const where = `${column} >= ${from} AND ${column} < ${to}`;
    const { length } = yield* execute(`SELECT 1 FROM ${rest} WHERE ${where} LIMIT ${MOVED + 1}`);
    if (length > MOVED) return log?.warn({ partition: name }, "partition not made: the rest has its rows");
    for (const text of statements!.add(parent, partition, length > 0 ? rest : undefined))
      yield* execute(text);
  }

  function* find(name: Series["name"], month: Month): Work<string | undefined> {
    const divided = yield* dividedOf(seriesOf(name));
    const partition = partitionOf(seriesOf(name), month).name;
    return divided && (yield* childrenOf(divided.parent)).find((child) => child === partition);
  }
  function* drop(names: readonly Series["name"][], month: Month): Work<boolean> {
    const texts: string[] = [];
    for (const name of names) {
      const divided = yield* dividedOf(seriesOf(name));
      const partition = yield* find(name, month);
      if (divided && partition !== undefined) texts.push(...statements!.remove(divided.parent, partition));
    }
    yield* execute(statements!.begin);
    for (let tried = 1; ; tried++) {
      yield* execute("SAVEPOINT before_drop");
      try {
        for (const text of texts) yield* execute(text);
        return true;
      } catch (error) {
        if (!statements!.isLocked(error)) throw error;
        // Rolls back all locks, not only the one that was waited for: others can go on meanwhile.
        yield* execute("ROLLBACK TO SAVEPOINT before_drop");
        if (tried === TRIES) return false;
        yield* execute(statements!.sleep(tried / 10));
      }
    }
  }

  return {
    find,
    drop,
    open: dropDueConstraints,
    async keep(now, signal) {
      for (const { table } of SERIES) await divide(table, now, signal);
      const months = [monthOf(now), monthAfter(monthOf(now))];
      for (const series of SERIES) {
        const divided = await engine.read(() => dividedOf(series));
        if (!divided) continue;
        const made = await engine.read(() => childrenOf(divided.parent));
        for (const month of months.filter((month) => month >= divided.first))
          if (!made.includes(partitionOf(series, month).name)) await exclusive(() => add(divided, month));
      }
    },
    async dropBefore(name, before) {
      const divided = await engine.read(() => dividedOf(seriesOf(name)));
      const children = divided ? await engine.read(() => childrenOf(divided.parent)) : [];
      for (const child of children.filter((child) => !child.endsWith("_rest")))
        if (startOf(monthAfter(monthIn(child))) <= before)
          if ((await exclusive(() => drop([name], monthIn(child)))) === false)
            log?.warn({ partition: child }, "partition not dropped: a query that takes long reads it");
    },
  };
}
