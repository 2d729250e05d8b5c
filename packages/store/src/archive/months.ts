import { sql } from "kysely";
import { type By, createRecorder } from "../audit-log.ts";
import { DAY } from "../engine/durations.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { type Month, monthAfter, monthOf, startOf } from "../engine/month.ts";
import { first, run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { ArchiveError } from "./error.ts";
import type { Manifest } from "./manifest.ts";
import { boundsOf } from "./scan.ts";

/** A month whose records were written to files. */
export interface ArchivedMonth {
  /** As `2026-11`, in UTC. */
  month: Month;
  /** `written` while the database has its records, `removing` while they are being removed, then `removed`. */
  state: Tables["archives"]["state"];
  /** The number of its records. */
  records: number;
  /** What the records cost, in micro-USD. */
  cost: number;
  /** The SHA-256 of its manifest. */
  sha256: string;
  /** When its files were complete, in ms. */
  writtenAt: number;
  /** When its records were removed, in ms. */
  removedAt?: number;
}

const toArchived = (row: Tables["archives"]): ArchivedMonth => ({
  month: row.month,
  state: row.state,
  records: row.records,
  cost: row.cost,
  sha256: row.sha256,
  writtenAt: row.written_at,
  ...(row.removed_at !== null && { removedAt: row.removed_at }),
});

/** Reads and changes which months are archived. */
export function createMonths(engine: Engine) {
  const { db, read, report, write } = engine;
  const all = db.selectFrom("archives").selectAll().orderBy("month");
  const set = (month: Month, values: Partial<Tables["archives"]>) =>
    db.updateTable("archives").set(values).where("month", "=", month);
  return {
    list: async () => (await read(() => run(all))).map(toArchived),
    /** Records that a month is written; an earlier attempt may have done it. */
    add({ month, totals: { records, cost } }: Manifest, sha256: string, by: By): Promise<void> {
      const recorder = createRecorder(engine, by);
      const bounds = { from_at: boundsOf(month).from, to_at: boundsOf(month).to };
      const row = {
        month,
        records,
        cost,
        sha256,
        state: "written",
        written_at: by.at,
        removed_at: null,
      } as const;
      return write(function* () {
        const added = yield* run(
          db
            .insertInto("archives")
            .values({ ...row, ...bounds })
            .onConflict((on) => on.column("month").doNothing())
            .returning("month"),
        );
        if (added.length > 0)
          yield* recorder()({ action: "month_archived", subject: month, after: { records, cost, sha256 } });
      });
    },
    /** The work of beginning to remove a month. It waits for refunds that are being written. */
    *begin(month: Month): Work<void> {
      yield* run(set(month, { state: "removing" }).where("state", "=", "written"));
    },
    /** The work of having removed it. */
    *end({ month, totals: { records, cost } }: Manifest, by: By): Work<void> {
      yield* run(set(month, { state: "removed", removed_at: by.at }));
      yield* createRecorder(engine, by)()({
        ...{ action: "month_removed", subject: month, after: { records, cost } },
      });
    },
    /** The month of the oldest record; undefined if there is none. */
    async oldest(): Promise<Month | undefined> {
      const ids = db.selectFrom("generations").select("id").where("id", ">=", "0").where("id", "<", "1");
      const row = await report(() => first(run(ids.orderBy("id").limit(1))));
      return row && monthOf(Number.parseInt(row.id.slice(0, 12), 16));
    },
    /** Throws `ArchiveError` while a record of the month is pending. */
    async assertEnded(month: Month): Promise<void> {
      const { to } = boundsOf(month);
      const pending = sql<{
        count: number;
        first: string;
      }>`SELECT CAST(COUNT(*) AS BIGINT) AS count, MIN(id) AS first
        FROM generations WHERE status = 'pending' AND created_at < ${to}`.compile(db);
      const found = await read(() => first(run<{ count: number; first: string }>(pending)));
      if (found && found.count > 0)
        throw new ArchiveError(
          `${month} is not closed: ${found.count} of its records, such as ${found.first}, have not ended`,
        );
    },
  };
}

/** The last month that is closed, a number of days after its end. */
export function lastClosed(now: number, days: number): Month {
  return monthAfter(monthOf(now - days * DAY), -1);
}

/** The months from `from` to `to`, both included. */
export function* monthsBetween(from: Month, to: Month): Generator<Month> {
  for (let month = from; startOf(month) <= startOf(to); month = monthAfter(month)) yield month;
}
