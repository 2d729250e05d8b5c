import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import type { StoredAssets } from "./assets.ts";

/** Expires the files of assets; their rows stay, marked as expired. */
export function prepareExpire(
  engine: Engine,
): Pick<StoredAssets, "expire" | "expireAll" | "expired" | "forget" | "keys"> {
  const { db } = engine;
  const old = sql`object_key IS NOT NULL AND expired_at IS NULL AND created_at < ${param("before")}
    AND needed_until < ${param("at")}`;
  const gone = sql`object_key IS NOT NULL AND expired_at IS NOT NULL`;
  const anything = prepare<object, { id: string }>(
    db,
    sql`SELECT id FROM assets WHERE id IN (SELECT id FROM assets WHERE ${old} LIMIT 1)
      OR id IN (SELECT id FROM assets WHERE ${gone} LIMIT 1) LIMIT 1`,
  );
  // A new job may need a chosen asset meanwhile, so the write checks the condition again.
  const expire = prepare<object>(
    db,
    sql`UPDATE assets SET expired_at = ${param("at")}, updated_at = ${param("at")}
      WHERE id IN (SELECT id FROM assets WHERE ${old} ORDER BY created_at LIMIT ${param("most")}) AND ${old}`,
  );
  const left = prepare<object, { id: string; object_key: string }>(
    db,
    sql`SELECT id, object_key FROM assets WHERE ${gone} ORDER BY id LIMIT ${param("most")}`,
  );
  return {
    expireAll: (ids, { accountId, at }) =>
      engine.write(function* () {
        if (ids.length === 0) return [];
        const those = db.updateTable("assets").where("account_id", "=", accountId).where("id", "in", ids);
        const unneeded = those.where("expired_at", "is", null).where("needed_until", "<", at);
        yield* run(unneeded.set({ expired_at: at, updated_at: at }));
        const rows = yield* run(
          db
            .selectFrom("assets")
            .select(["id", "object_key"])
            .where("account_id", "=", accountId)
            .where("id", "in", ids)
            .where("expired_at", "is not", null)
            .where("object_key", "is not", null),
        );
        return rows.map(({ id, object_key }) => ({ id, key: object_key! }));
      }),
    async expire(terms) {
      const found = await engine.read(() => first(anything(terms)));
      if (found === undefined) return [];
      return engine.write(function* () {
        yield* expire(terms);
        return (yield* left(terms)).map(({ id, object_key: key }) => ({ id, key }));
      });
    },
    forget: (ids) =>
      engine.write(
        function* () {
          if (ids.length === 0) return;
          const chosen = db.updateTable("assets").set({ object_key: null }).where("id", "in", ids);
          yield* run(chosen.where("expired_at", "is not", null));
        },
        { soft: true },
      ),
    expired: (ids) =>
      engine.read(function* () {
        if (ids.length === 0) return new Set();
        const chosen = db.selectFrom("assets").select("id").where("id", "in", ids);
        const rows = yield* run(chosen.where("expired_at", "is not", null));
        return new Set(rows.map(({ id }) => id));
      }),
    keys: (ids) =>
      engine.read(function* () {
        if (ids.length === 0) return [];
        const chosen = db.selectFrom("assets").select("object_key").where("id", "in", ids);
        const rows = yield* run(chosen.where("object_key", "is not", null));
        return rows.map(({ object_key }) => object_key!);
      }),
  };
}
