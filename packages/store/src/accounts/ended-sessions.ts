import { sql } from "kysely";
import { deleteRows } from "../engine/delete-rows.ts";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import { raiseKeys } from "../keys/keys.ts";

/** Sessions that were ended before they expired. */
export interface EndedSessions {
  /** Ends a session, which would expire at `until`, for all processes. */
  add(hash: string, until: number): Promise<void>;
  has(hash: string): Promise<boolean>;
  /** Forgets sessions that have expired by `at` anyway. */
  expire(at: number): Promise<void>;
}

export function createEndedSessions(engine: Engine): EndedSessions {
  const { db } = engine;
  return {
    add: (hash, until) =>
      engine.write(function* () {
        const row = db.insertInto("ended_sessions").values({ hash, until });
        yield* run(row.onConflict((on) => on.column("hash").doNothing()));
        yield* raiseKeys(db);
      }),
    has: (hash) =>
      engine.read(function* () {
        const found = db.selectFrom("ended_sessions").select("hash").where("hash", "=", hash);
        return (yield* run(found)).length > 0;
      }),
    expire: (at) => deleteRows(engine, { table: "ended_sessions", key: ["hash"], where: sql`until < ${at}` }),
  };
}
