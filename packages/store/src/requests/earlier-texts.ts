import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import type { JsonObject } from "../engine/json-columns.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import type { ContentRef } from "./pack-rows.ts";
import type { RecordOptions } from "./record-options.ts";

/**
 * The contents of requests in the form of earlier versions: one row each, counted in the account's `kept_bytes`. This
 * version adds none; it only reads and deletes them.
 */
export interface EarlierTexts {
  /** The work of finding the requests of generations. Generations without one are left out. */
  find(refs: readonly ContentRef[]): Work<Map<string, JsonObject>>;
  /**
   * Deletes texts from before a time, and the oldest ones of accounts near their quota, in small steps until the signal
   * aborts. Resolves to the number of deleted bytes. Several processes may call it at once.
   */
  sweep(before: number, signal?: AbortSignal): Promise<number>;
}

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

export function createEarlierTexts(
  { db, dialect, read, write }: Engine,
  { quota }: RecordOptions,
): EarlierTexts {
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
  function* thin(
    account: string,
    before: number,
    most: number,
  ): Work<{ removed: number; freed: number; isFull: boolean }> {
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
    return { removed: gone, freed, isFull };
  }

  async function relieve(account: string, before: number, signal?: AbortSignal): Promise<number> {
    let most = quota * HIGH;
    let total = 0;
    for (;;) {
      const { removed, freed, isFull } = await write(() => thin(account, before, most), { account });
      total += freed;
      if (removed < MOST || signal?.aborted) return total;
      if (isFull) most = quota * LOW;
    }
  }

  return {
    *find(refs) {
      const found = new Map<string, JsonObject>();
      if (refs.length === 0) return found;
      const rows = db.selectFrom("requests").select(["id", "content"]);
      const ids = refs.map(({ id }) => id);
      for (const { id, content } of yield* run(rows.where(dialect.isOneOf("id", ids))))
        found.set(id, JSON.parse(content) as JsonObject);
      return found;
    },
    async sweep(before, signal) {
      const goesOn = (): boolean => !signal?.aborted;
      while (goesOn() && (await read(() => unplaced({}))).length > 0) await write(adopt, { soft: true });
      let freed = 0;
      let after = "";
      for (;;) {
        const accounts = await read(() => due({ after, before }));
        for (const { id } of accounts) if (goesOn()) freed += await relieve(id, before, signal);
        if (accounts.length < MOST || !goesOn()) return freed;
        after = accounts.at(-1)?.id ?? after;
      }
    },
  };
}
