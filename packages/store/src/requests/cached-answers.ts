import { sql } from "kysely";
import { deleteRows } from "../engine/delete-rows.ts";
import type { Engine } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";

/** A cached answer, as JSON text. */
export interface CachedAnswer {
  /** The account that receives it. */
  account: string;
  /** The hash of the request. */
  hash: string;
  /** The time of the answer, and the time from which it is not used, in milliseconds since the epoch. */
  at: number;
  until: number;
  value: string;
}

/** The cache of answers that all processes share. */
export interface CachedAnswers {
  /** The answer to the same request of the account. */
  get(place: Pick<CachedAnswer, "account" | "hash">): Promise<CachedAnswer | undefined>;
  /** Keeps an answer in place of an earlier one. */
  put(answer: CachedAnswer): Promise<void>;
  /** Deletes expired answers, and then the oldest ones until at most `bytes` are left. */
  expire(now: number, bytes: number): Promise<void>;
}

export function createCachedAnswers(engine: Engine): CachedAnswers {
  const { db } = engine;
  interface Row {
    created_at: number;
    expires_at: number;
    value: string;
  }
  const select = prepare<Pick<CachedAnswer, "account" | "hash">, Row>(
    db,
    sql`SELECT created_at, expires_at, value FROM cached_answers
      WHERE account_id = ${param("account")} AND hash = ${param("hash")}`,
  );
  const put = prepare<CachedAnswer & { bytes: number }>(
    db,
    sql`INSERT INTO cached_answers (account_id, hash, created_at, expires_at, bytes, value)
      VALUES (${param("account")}, ${param("hash")}, ${param("at")}, ${param("until")}, ${param("bytes")},
        ${param("value")})
      ON CONFLICT (account_id, hash) DO UPDATE SET created_at = excluded.created_at,
        expires_at = excluded.expires_at, bytes = excluded.bytes, value = excluded.value`,
  );
  const key = ["account_id", "hash"] as const;

  /** The creation time of the newest answer to delete: all later answers fit into `bytes`. */
  const lastToGo = prepare<{ bytes: number }, { created_at: number }>(
    db,
    sql`SELECT created_at FROM
      (SELECT created_at, SUM(bytes) OVER (ORDER BY created_at DESC) AS held FROM cached_answers) AS newest
      WHERE held > ${param("bytes")} ORDER BY created_at DESC LIMIT 1`,
  );

  return {
    get: (place) =>
      engine.read(function* () {
        const row = yield* first(select(place));
        return row && { ...place, at: row.created_at, until: row.expires_at, value: row.value };
      }),
    put: (answer) =>
      engine.write(
        function* () {
          yield* put({ ...answer, bytes: Buffer.byteLength(answer.value) });
        },
        { separate: true },
      ),
    async expire(now, bytes) {
      await deleteRows(engine, { table: "cached_answers", key, where: sql`expires_at <= ${now}` });
      const last = await engine.report(() => first(lastToGo({ bytes })));
      if (last)
        await deleteRows(engine, {
          table: "cached_answers",
          key,
          where: sql`created_at <= ${last.created_at}`,
        });
    },
  };
}
