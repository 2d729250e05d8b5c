import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";
import type { RecordOptions } from "./record-options.ts";

/** The kept texts of requests, including video tasks, but not their records and costs. */
export interface Texts {
  /**
   * Deletes expired texts, and the oldest ones of accounts near their quota, in small steps until the signal aborts.
   * Resolves to the number of deleted texts. Several processes may call it at once.
   */
  sweep(now: number, signal?: AbortSignal): Promise<number>;
}

const DAY = 24 * 3_600_000;
/** The most texts, and the most accounts, in one step. */
const MOST = 100;
/** The share of its quota above which an account loses its oldest texts, and the share that remains. */
const HIGH = 7 / 8;
const LOW = 3 / 4;

interface StoredText {
  id: string;
  at: number;
  bytes: number;
}

export function createTexts({ db, dialect, read, write }: Engine, { days, quota }: RecordOptions): Texts {
  const unplaced = prepare<object, { id: string; account: string; at: number }>(
    db,
    sql`SELECT requests.id, generations.account_id AS account, generations.created_at AS at FROM requests
      JOIN generations ON generations.id = requests.id
      WHERE requests.account IS NULL LIMIT ${sql.lit(MOST)}`,
  );
  const place = prepare<object, { bytes: number }>(
    db,
    sql`UPDATE requests SET account = ${param("account")}, asked_at = ${param("at")},
        bytes = octet_length(content)
      WHERE id = ${param("id")} AND account IS NULL RETURNING bytes`,
  );
  const due = prepare<{ after: string; before: number }, { id: string }>(
    db,
    sql`SELECT id FROM accounts WHERE id > ${param("after")} AND (kept_bytes > ${sql.lit(quota * HIGH)}
        OR EXISTS (SELECT 1 FROM requests WHERE account = accounts.id AND asked_at < ${param("before")}))
      ORDER BY id LIMIT ${sql.lit(MOST)}`,
  );
  // Each change of an account's kept texts locks its row, as reservations do.
  const lock = prepare<{ account: string }, { bytes: number }>(
    db,
    sql`SELECT kept_bytes AS bytes FROM accounts WHERE id = ${param("account")}
      ${dialect.locks.shared}`,
  );
  const count = prepare<{ account: string }, { bytes: number }>(
    db,
    sql`SELECT CAST((SELECT COALESCE(SUM(bytes), 0) FROM requests WHERE account = ${param("account")})
      + (SELECT COALESCE(SUM(bytes), 0) FROM repeats WHERE account_id = ${param("account")} AND bytes > 0)
      AS BIGINT) AS bytes`,
  );
  const oldest = prepare<{ account: string }, StoredText>(
    db,
    sql`SELECT id, asked_at AS at, bytes FROM requests WHERE account = ${param("account")}
      ORDER BY asked_at, id LIMIT ${sql.lit(MOST)}`,
  );
  const remove = prepare<{ id: string }, { bytes: number }>(
    db,
    sql`DELETE FROM requests WHERE id = ${param("id")} RETURNING bytes`,
  );
  const note = prepare<{ account: string; bytes: number }>(
    db,
    sql`UPDATE accounts SET kept_bytes = ${param("bytes")} WHERE id = ${param("account")}`,
  );
  const hide = prepare<{ before: number }, { id: string }>(
    db,
    sql`UPDATE jobs SET shown = NULL WHERE id IN (SELECT id FROM jobs WHERE kind = 'video' AND shown IS NOT NULL
      AND ended_at IS NOT NULL AND ended_at < ${param("before")} LIMIT ${sql.lit(MOST)}) RETURNING id`,
  );

  /** Fills in the account of texts of earlier versions. */
  function* adopt(): Work<number> {
    const rows = yield* unplaced({});
    for (const account of new Set(rows.map((row) => row.account).sort())) {
      let kept = (yield* first(lock({ account })))?.bytes ?? 0;
      for (const row of rows) if (row.account === account) kept += (yield* first(place(row)))?.bytes ?? 0;
      yield* note({ account, bytes: kept });
    }
    return rows.length;
  }

  /** Deletes an account's texts from before a time, and further oldest ones if more than `most` bytes are kept. */
  function* thin(account: string, before: number, most: number): Work<{ removed: number; isFull: boolean }> {
    let kept = (yield* first(lock({ account })))?.bytes ?? 0;
    // Recount before deleting more: processes of earlier versions do not update the count.
    if (kept > most) kept = (yield* first(count({ account })))?.bytes ?? 0;
    const isFull = kept > most;
    const excess = isFull ? kept - quota * LOW : 0;
    let gone = 0;
    let freed = 0;
    for (const { id, at } of yield* oldest({ account })) {
      if (at >= before && freed >= excess) break;
      freed += (yield* first(remove({ id })))?.bytes ?? 0;
      gone += 1;
    }
    yield* note({ account, bytes: Math.max(0, kept - freed) });
    return { removed: gone, isFull };
  }

  async function relieve(account: string, before: number, signal?: AbortSignal): Promise<number> {
    let most = quota * HIGH;
    let total = 0;
    for (;;) {
      const { removed, isFull } = await write(() => thin(account, before, most), { account });
      total += removed;
      if (removed < MOST || signal?.aborted) return total;
      if (isFull) most = quota * LOW;
    }
  }

  return {
    async sweep(now, signal) {
      const before = now - days * DAY;
      const goesOn = (): boolean => !signal?.aborted;
      while (goesOn() && (await read(() => unplaced({}))).length > 0) await write(adopt, { soft: true });
      while (goesOn() && (await write(() => hide({ before }), { soft: true })).length === MOST);
      let gone = 0;
      let after = "";
      for (;;) {
        const accounts = await read(() => due({ after, before }));
        for (const { id } of accounts) if (goesOn()) gone += await relieve(id, before, signal);
        if (accounts.length < MOST || !goesOn()) return gone;
        after = accounts.at(-1)?.id ?? after;
      }
    },
  };
}
