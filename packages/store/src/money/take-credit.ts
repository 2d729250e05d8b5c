import { type Kysely, sql } from "kysely";
import { integers, prepareEach, texts, toRounds, type ValueOf } from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { param, prepare } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import type { Windows } from "../pricing/cap-windows.ts";
import { CAPS } from "../pricing/caps.ts";

/** The configured limit of a row of `key_spend`. */
export const CAP_LIMIT = sql`COALESCE((SELECT CASE key_spend.kind WHEN 'daily' THEN k.daily_limit WHEN 'weekly'
  THEN k.weekly_limit WHEN 'monthly' THEN k.monthly_limit ELSE k.total_limit END
  FROM api_keys AS k WHERE k.id = key_spend.key_id), 9007199254740991)`;

/** A condition of rows of `key_spend`: the windows of a request. Each can be found by the index. */
export const inWindows = (value: ValueOf) => sql`(
  (kind = 'daily' AND win = ${value("daily")}) OR (kind = 'weekly' AND win = ${value("weekly")}) OR
  (kind = 'monthly' AND win = ${value("monthly")}) OR (kind = 'total' AND win = 'all'))`;

/**
 * The statements that hold credit of an account and in a key's windows, if `need` is left of each. Each condition is
 * part of the write that depends on it, so it is checked again after a wait for the lock.
 */
export function prepareHoldStatements(db: Kysely<Tables>) {
  const hold = prepare<Hold, { account: string }>(
    db,
    sql`UPDATE accounts SET held = held + ${param("amount")}
      WHERE id = ${param("account")} AND active = 1 AND balance - held >= ${param("need")} RETURNING id AS account`,
  );

  // A new window has no row to compare with, so both the insert and the update check the condition.
  const openWindow = (cap: (typeof CAPS)[number]) => sql`
    SELECT id, ${sql.lit(cap)}, CAST(${param(cap)} AS TEXT), 0, CAST(${param("amount")} AS BIGINT) FROM api_keys
    WHERE id = ${param("key")} AND account_id = ${param("account")} AND active = 1
      AND COALESCE(${sql.ref(`${cap}_limit`)}, 9007199254740991) >= ${param("need")}`;
  const open = prepare<{ key: string; account: string; amount: number; need: number }, { kind: string }>(
    db,
    sql`INSERT INTO key_spend (key_id, kind, win, spent, held)
      ${sql.join(CAPS.map(openWindow), sql` UNION ALL `)}
      ON CONFLICT (key_id, kind, win) DO UPDATE SET held = key_spend.held + excluded.held
      WHERE key_spend.spent + key_spend.held + ${param("need")} <= ${CAP_LIMIT}
      RETURNING kind`,
  );
  return { hold, open };
}

/** Credit to hold of an account. */
export interface Hold {
  account: string;
  amount: number;
  need: number;
}

/** Credit to hold in the windows of a key. */
export interface Opening extends Windows {
  account: string;
  key: string;
  amount: number;
  need: number;
}

const OPENING = [...texts("key", "account", "daily", "weekly", "monthly"), ...integers("amount", "need")];

/** The same for many holds. Each account, and each key and day, may occur only once. */
export function prepareBulkHolds(engine: Engine): {
  /** Returns the accounts that had enough. */
  hold(holds: readonly Hold[]): Work<{ account: string }[]>;
  /** Returns the windows that had enough. */
  open(openings: readonly Opening[]): Work<{ key: string; kind: string }[]>;
} {
  const { db, dialect } = engine;
  const hold = prepareEach<{ account: string }>(
    engine,
    [...texts("account"), ...integers("amount", "need")],
    (value, from) => sql`UPDATE accounts SET held = accounts.held + ${value("amount")} ${from}
      WHERE accounts.id = ${value("account")} AND accounts.active = 1
        AND accounts.balance - accounts.held >= ${value("need")}
      RETURNING accounts.id AS account`,
  );
  if (!dialect.supportsArrays) {
    const { open } = prepareHoldStatements(db);
    return {
      hold,
      *open(openings) {
        const opened: { key: string; kind: string }[] = [];
        for (const one of openings)
          for (const { kind } of yield* open(one)) opened.push({ key: one.key, kind });
        return opened;
      },
    };
  }
  // An account that had too little was not locked by its hold. It is locked here, before the windows: an end that has
  // the account would otherwise wait for them in another order.
  const open = prepareEach<{ key: string; kind: string }>(
    engine,
    OPENING,
    (value, from) => sql`WITH news AS (SELECT * ${from})
      INSERT INTO key_spend (key_id, kind, win, spent, held)
      SELECT k.id, w.kind, w.win, 0, ${value("amount")} FROM news
      CROSS JOIN LATERAL (SELECT id FROM accounts WHERE id = ${value("account")} ${dialect.locks.shared}) AS a
      JOIN api_keys AS k ON k.id = ${value("key")} AND k.account_id = a.id AND k.active = 1
      CROSS JOIN LATERAL (VALUES ('daily', ${value("daily")}, k.daily_limit),
        ('weekly', ${value("weekly")}, k.weekly_limit), ('monthly', ${value("monthly")}, k.monthly_limit),
        ('total', 'all', k.total_limit)) AS w (kind, win, cap)
      WHERE COALESCE(w.cap, 9007199254740991) >= ${value("need")}
      ON CONFLICT (key_id, kind, win) DO UPDATE SET held = key_spend.held + excluded.held
      WHERE key_spend.spent + key_spend.held
        + (SELECT ${value("need")} FROM news WHERE ${value("key")} = key_spend.key_id) <= ${CAP_LIMIT}
      RETURNING key_id AS key, kind`,
  );
  return {
    hold,
    *open(openings) {
      const opened: { key: string; kind: string }[] = [];
      for (const round of toRounds(openings)) opened.push(...(yield* open(round)));
      return opened;
    },
  };
}
