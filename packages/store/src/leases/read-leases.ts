import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";
import { CAPS, type Cap } from "../pricing/caps.ts";

/** A lease of this process, as the database has it. */
interface StoredLease {
  id: string;
  account: string;
  /** True if the account or the key was changed since the lease was opened. */
  isOver: boolean;
  /** True if another process has recalled its idle credit. */
  isRecalled: boolean;
  /** The account's counter of recalls. */
  recall: number;
}

/** The amount that a refused request needs: of the balance, or of a cap in a window. */
export interface Need {
  amount: number;
  cap?: { key: string; cap: Cap; window: string };
}

/** Selects leases by the recall counter at their opening: below `before`, and at least `from`. */
interface Recalls {
  before?: number;
  from?: number;
}

/** The rest of a balance or a cap, and the sum that leases hold of it, for running requests too. */
interface Rest {
  free: number;
  leased: number;
}

/** Reads the leases of this process and of others. */
export function createLeaseReader(engine: Engine, owner: string) {
  const { db } = engine;
  const all = prepare<
    object,
    Pick<StoredLease, "id" | "account" | "recall"> & { over: number; recalled: number }
  >(
    db,
    sql`SELECT l.id, l.account_id AS account, COALESCE(a.recall, 0) AS recall,
        CASE WHEN a.recall > l.recall THEN 1 ELSE 0 END AS recalled,
        CASE WHEN a.active = 1 AND (l.key_id IS NULL OR (k.active = 1 AND k.revision = l.key_revision))
          THEN 0 ELSE 1 END AS over
      FROM leases AS l LEFT JOIN accounts AS a ON a.id = l.account_id LEFT JOIN api_keys AS k ON k.id = l.key_id
      WHERE l.owner = ${sql.lit(owner)}`,
  );
  const idle = prepare<{ account: string; before: number; from: number }, { amount: number }>(
    db,
    sql`SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS amount FROM leases
      WHERE account_id = ${param("account")} AND owner <> ${sql.lit(owner)} AND ending = 0
        AND recall < ${param("before")} AND recall >= ${param("from")}`,
  );
  const raise = prepare<{ account: string }, { recall: number }>(
    db,
    sql`UPDATE accounts SET recall = recall + 1 WHERE id = ${param("account")} RETURNING recall`,
  );
  const ofBalance = prepare<{ account: string }, Rest>(
    db,
    sql`SELECT balance - held AS free,
        CAST(COALESCE((SELECT SUM(amount) FROM leases WHERE account_id = ${param("account")}), 0) AS BIGINT) AS leased
      FROM accounts WHERE id = ${param("account")}`,
  );
  // A window that has not begun has no row, and nothing in it is spent or held.
  const prepareOfCap = (cap: Cap) =>
    prepare<{ key: string; window: string }, Rest>(
      db,
      sql`SELECT COALESCE(${sql.ref(`${cap}_limit`)}, 9007199254740991) - COALESCE((SELECT spent + held FROM key_spend
            WHERE key_id = ${param("key")} AND kind = ${sql.lit(cap)} AND win = ${param("window")}), 0) AS free,
          CAST(COALESCE((SELECT SUM(amount) FROM leases WHERE key_id = ${param("key")}
            ${cap === "total" ? sql`` : sql`AND ${sql.ref(cap)} = ${param("window")}`}), 0) AS BIGINT) AS leased
        FROM api_keys WHERE id = ${param("key")}`,
    );
  const ofCap = Object.fromEntries(CAPS.map((cap) => [cap, prepareOfCap(cap)])) as {
    [cap in Cap]: ReturnType<typeof prepareOfCap>;
  };
  return {
    /** The current rest of the balance or cap that a need refers to. */
    rest: (account: string, { cap }: Need): Promise<Rest | undefined> =>
      engine.read(() => first(cap ? ofCap[cap.cap](cap) : ofBalance({ account }))),
    /** This process's leases. */
    leases: (): Promise<StoredLease[]> =>
      engine.read(function* () {
        return (yield* all({})).map(({ over, recalled, ...seen }) => ({
          ...seen,
          isOver: over === 1,
          isRecalled: recalled === 1,
        }));
      }),
    /** The sum in the account's leases that other processes have not begun to give back. */
    others: (
      account: string,
      { before = Number.MAX_SAFE_INTEGER, from = 0 }: Recalls = {},
    ): Promise<number> =>
      engine.read(function* () {
        return (yield* first(idle({ account, before, from })))?.amount ?? 0;
      }),
    /** Recalls idle credit from all processes: raises the account's counter and returns it. */
    recall: (account: string): Promise<number> =>
      engine.write(
        function* () {
          return (yield* first(raise({ account })))?.recall ?? 0;
        },
        { account, soft: true },
      ),
  };
}
