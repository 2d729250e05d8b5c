import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { type StoredFile, toFile, toFileRow } from "./file.ts";

interface FileRef {
  id: string;
  accountId: string;
}

/** The files that callers store, and that the service stores for them. */
export interface StoredFiles {
  /** Records a file whose contents are stored. False if the account's files would exceed `most` bytes. */
  add(file: StoredFile, most: number): Promise<boolean>;
  /** The account's file of this id; another account's is not found. */
  get(ref: FileRef): Promise<StoredFile | undefined>;
  /** Lists files that have not expired at `now`, after another one if there is one, by the time of their creation. */
  list(
    filter: { accountId: string; purposes: readonly string[]; now: number },
    page: { order: "asc" | "desc"; limit: number; after?: Pick<StoredFile, "id" | "createdAt"> | undefined },
  ): Promise<StoredFile[]>;
  /** Removes the record of a file, unless a running batch reads it. */
  remove(ref: FileRef): Promise<"removed" | "in use" | undefined>;
  /** At most `most` files that have expired at `now`, and that no running batch reads. */
  expired(terms: { now: number; most: number }): Promise<StoredFile[]>;
  /** Removes the records of files whose contents were removed, except those that a running batch reads. */
  forget(ids: readonly string[]): Promise<void>;
  /** The given object keys that belong to files. */
  withKeys(keys: readonly string[]): Promise<string[]>;
}

/**
 * A condition: no running batch reads the file. Lock the row first: otherwise a batch that is just being created is not
 * seen.
 */
export const IS_FREE = sql<boolean>`NOT EXISTS (SELECT 1 FROM batches WHERE batches.input_file = files.id
  AND batches.ended_at IS NULL)`;

export function createStoredFiles(engine: Engine): StoredFiles {
  const { db, dialect } = engine;
  const byId = prepare<FileRef, Tables["files"]>(
    db,
    sql`SELECT * FROM files WHERE id = ${param("id")} AND account_id = ${param("accountId")}`,
  );
  return {
    add: (file, most) =>
      engine.write(function* () {
        const { accountId } = file;
        // Locks the account, so that simultaneous additions count each other.
        yield* run(sql`SELECT id FROM accounts WHERE id = ${accountId} ${dialect.locks.shared}`.compile(db));
        const others = db.selectFrom("files").where("account_id", "=", accountId).where("id", "<>", file.id);
        const [sum] = yield* run(
          others.select(sql<number>`CAST(COALESCE(SUM(bytes), 0) AS BIGINT)`.as("bytes")),
        );
        if (Number(sum?.bytes ?? 0) + file.bytes > most) return false;
        yield* run(
          db
            .insertInto("files")
            .values(toFileRow(file))
            .onConflict((on) => on.doNothing()),
        );
        return true;
      }),
    get: (ref) =>
      engine.read(function* () {
        const row = yield* first(byId(ref));
        return row && toFile(row);
      }),
    list: ({ accountId, purposes, now }, { order, limit, after }) =>
      engine.report(function* () {
        let chosen = db
          .selectFrom("files")
          .selectAll()
          .where("account_id", "=", accountId)
          .where("purpose", "in", purposes)
          .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", now)]));
        if (after) {
          const sign = sql.raw(order === "asc" ? ">" : "<");
          chosen = chosen.where(sql<boolean>`(created_at, id) ${sign} (${after.createdAt}, ${after.id})`);
        }
        const rows = yield* run(chosen.orderBy("created_at", order).orderBy("id", order).limit(limit));
        return rows.map(toFile);
      }),
    remove: (ref) =>
      engine.write(function* () {
        const chosen = db.selectFrom("files").select("id").where("id", "=", ref.id);
        const locked = chosen.where("account_id", "=", ref.accountId).modifyEnd(dialect.locks.exclusive);
        if ((yield* run(locked)).length === 0) return undefined;
        const removed = db.deleteFrom("files").where("id", "=", ref.id).where(IS_FREE).returning("id");
        return (yield* run(removed)).length > 0 ? ("removed" as const) : ("in use" as const);
      }),
    expired: ({ now, most }) =>
      engine.read(function* () {
        const rows = db.selectFrom("files").selectAll().where("expires_at", "<=", now).where(IS_FREE);
        return (yield* run(rows.orderBy("expires_at").limit(most))).map(toFile);
      }),
    forget: (ids) =>
      engine.write(
        function* () {
          if (ids.length === 0) return;
          const chosen = db.selectFrom("files").select("id").where("id", "in", ids).orderBy("id");
          yield* run(chosen.modifyEnd(dialect.locks.exclusive));
          yield* run(db.deleteFrom("files").where("id", "in", ids).where(IS_FREE));
        },
        { soft: true },
      ),
    withKeys: (keys) =>
      engine.read(function* () {
        if (keys.length === 0) return [];
        const rows = db.selectFrom("files").select("object_key").where("object_key", "in", keys);
        return (yield* run(rows)).map(({ object_key: key }) => key);
      }),
  };
}
