import { sql } from "kysely";
import { deleteRows } from "../engine/delete-rows.ts";
import { DAY } from "../engine/durations.ts";
import type { Engine } from "../engine/engine.ts";
import { param, prepare } from "../engine/statement.ts";
import type { PartitionWorks } from "../partitions/partitions.ts";
import type { Contents } from "./contents.ts";
import { createEarlierTexts } from "./earlier-texts.ts";
import { dayOf } from "./pack.ts";
import type { RecordOptions } from "./record-options.ts";

/** The contents of requests and replies, including video tasks, but not their records and costs. */
export interface Retention {
  /**
   * Deletes whole days of expired contents, in small steps until the signal aborts. Resolves to the number of deleted
   * bytes. Several processes may call it at once.
   */
  sweep(now: number, signal?: AbortSignal): Promise<number>;
  /**
   * Keeps providers' errors for attempts of a generation. They are written shortly afterwards, separately from its
   * record, and at most once.
   */
  keepErrors: Contents["keepErrors"];
  /** The most bytes that are kept of a reply; absent if none are. */
  replyBytes?: number;
  /** Keeps the reply of a generation, given as the JSON text of its canonical form, like an error. */
  keepReply: Contents["keepReply"];
}

interface RetentionOptions {
  contents: Pick<Contents, "flush" | "keepErrors" | "keepReply">;
  partitions: Pick<PartitionWorks, "dropBefore">;
  records: RecordOptions;
}

/** The most packs in one step: on SQLite their pages are read from the disk. */
const PACKS = 16;
/** The most video tasks in one step. */
const TASKS = 100;

export function createRetention(
  engine: Engine,
  { contents, partitions, records }: RetentionOptions,
): Retention {
  const earlier = createEarlierTexts(engine, records);
  const hide = prepare<{ before: number }, { id: string }>(
    engine.db,
    sql`UPDATE jobs SET shown = NULL WHERE id IN (SELECT id FROM jobs WHERE kind = 'video' AND shown IS NOT NULL
      AND ended_at IS NOT NULL AND ended_at < ${param("before")} LIMIT ${sql.lit(TASKS)}) RETURNING id`,
  );
  return {
    keepErrors: contents.keepErrors,
    keepReply: contents.keepReply,
    ...(records.replies !== "none" && { replyBytes: records.replyBytes }),
    async sweep(now, signal) {
      await contents.flush();
      const before = now - records.days * DAY;
      while (
        !signal?.aborted &&
        (await engine.write(() => hide({ before }), { soft: true })).length === TASKS
      );
      let freed = await earlier.sweep(before, signal);
      await partitions.dropBefore("contents", dayOf(before) * DAY);
      const where = sql`day < ${dayOf(before)}`;
      await deleteRows(engine, {
        table: "contents",
        key: ["day", "account", "last_at", "first_at", "id"],
        where,
        most: PACKS,
        signal,
      });
      if (!signal?.aborted)
        await deleteRows(engine, {
          table: "contents_kept",
          key: ["account", "day"],
          where,
          after: {
            columns: ["bytes"],
            // biome-ignore lint/correctness/useYield: the rows are only counted.
            *work(rows) {
              for (const { bytes } of rows) freed += bytes;
            },
          },
        });
      return freed;
    },
  };
}
