import { type RawBuilder, sql } from "kysely";
import type { Engine, Work } from "./engine.ts";
import type { Tables } from "./tables.ts";

/** The most rows in one step: SQLite writes on the event loop, and Postgres locks the rows until the step ends. */
const MOST = 100;

interface Rows<T extends keyof Tables, C extends keyof Tables[T]> {
  table: T & string;
  /** The columns of the primary key. */
  key: readonly (keyof Tables[T] & string)[];
  where: RawBuilder<unknown>;
  /** The most rows in one step. */
  most?: number;
  /** Ends the work before its next step. */
  signal?: AbortSignal | undefined;
  /** Work on the deleted rows in the transaction of their step, and the columns that it reads. */
  after?: { columns: readonly (C & string)[]; work(rows: Pick<Tables[T], C>[]): Work<void> };
}

/** Deletes rows in small steps. Each is a transaction of its own, so that requests run between two. */
export async function deleteRows<T extends keyof Tables, C extends keyof Tables[T] = never>(
  { db, write }: Pick<Engine, "db" | "write">,
  { table, key, where, after, most = MOST, signal }: Rows<T, C>,
): Promise<void> {
  const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));
  const from = sql.table(table);
  const statement = sql<Pick<Tables[T], C>>`DELETE FROM ${from} WHERE (${list(key)}) IN
    (SELECT ${list(key)} FROM ${from} WHERE ${where} LIMIT ${sql.lit(most)})
    RETURNING ${list(after?.columns ?? key)}`.compile(db);
  const step = function* (): Work<number> {
    const rows = (yield statement) as Pick<Tables[T], C>[];
    if (after) yield* after.work(rows);
    return rows.length;
  };
  while ((await write(step, { separate: true })) === most && !signal?.aborted);
}
