import { sql } from "kysely";
import type { Cap } from "../caps.ts";
import type { Engine } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";
import { windowsOf } from "../windows.ts";

/** A lease as its process finds it. */
interface Seen {
  id: string;
  account: string;
  /** True when the account or the key is not what it was when the lease was opened. */
  isOver: boolean;
  /** True when somebody needs the credit that lies idle in it. */
  isRecalled: boolean;
}

/** What would have to be left for a refused request: of the balance, or of a cap in the window of `at`. */
export interface Need {
  amount: number;
  cap?: { key: string; cap: Cap; limit: number; at: number };
}

/** The rest of a balance or a cap, and all that leases hold of it, promised to running requests or not. */
interface Rest {
  free: number;
  leased: number;
}

/** Looks at leases, the own ones and those of other processes. */
export function createLook(engine: Engine, owner: string) {
  const { db } = engine;
  const all = prepare<object, { id: string; account: string; over: number; recalled: number }>(
    db,
    sql`SELECT l.id, l.account_id AS account, CASE WHEN a.recall > l.recall THEN 1 ELSE 0 END AS recalled,
        CASE WHEN a.active = 1 AND (l.key_id IS NULL OR (k.active = 1 AND k.revision = l.key_revision))
          THEN 0 ELSE 1 END AS over
      FROM leases AS l LEFT JOIN accounts AS a ON a.id = l.account_id LEFT JOIN api_keys AS k ON k.id = l.key_id
      WHERE l.owner = ${sql.lit(owner)}`,
  );
  const idle = prepare<{ account: string; before: number }, { amount: number }>(
    db,
    sql`SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS amount FROM leases
      WHERE account_id = ${param("account")} AND owner <> ${sql.lit(owner)} AND ending = 0
        AND recall < ${param("before")}`,
  );
  const raise = prepare<{ account: string }, { recall: number }>(
    db,
    sql`UPDATE accounts SET recall = recall + 1 WHERE id = ${param("account")} RETURNING recall`,
  );
  const leased = (of: "account_id" | "key_id", id: string) =>
    sql`CAST(COALESCE((SELECT SUM(amount) FROM leases WHERE ${sql.ref(of)} = ${param(id)}), 0) AS BIGINT)`;
  const ofBalance = prepare<{ account: string }, Rest>(
    db,
    sql`SELECT balance - held AS free, ${leased("account_id", "account")} AS leased FROM accounts
      WHERE id = ${param("account")}`,
  );
  const ofCap = prepare<{ key: string; cap: Cap; limit: number; window: string }, Rest>(
    db,
    sql`SELECT ${param("limit")} - spent - held AS free, ${leased("key_id", "key")} AS leased FROM key_spend
      WHERE key_id = ${param("key")} AND kind = ${param("cap")} AND win = ${param("window")}`,
  );
  return {
    /** The rest that a need is about, seen at one moment. */
    rest: (account: string, { cap }: Need): Promise<Rest | undefined> =>
      engine.read(() =>
        first(cap ? ofCap({ ...cap, window: windowsOf(cap.at)[cap.cap] }) : ofBalance({ account })),
      ),
    /** This process's leases. */
    own: (): Promise<Seen[]> =>
      engine.read(function* () {
        return (yield* all({})).map(({ id, account, over, recalled }) => ({
          id,
          account,
          isOver: over === 1,
          isRecalled: recalled === 1,
        }));
      }),
    /** The sum that other processes have in leases of the account that no recall `before` this one has ended. */
    others: (account: string, before = Number.MAX_SAFE_INTEGER): Promise<number> =>
      engine.read(function* () {
        return (yield* first(idle({ account, before })))?.amount ?? 0;
      }),
    /** Asks all processes for what lies idle. */
    recall: (account: string): Promise<number> =>
      engine.write(
        function* () {
          return (yield* first(raise({ account })))?.recall ?? 0;
        },
        { account, soft: true },
      ),
  };
}
