import { type Kysely, sql } from "kysely";
import { CAPS } from "../caps.ts";
import { param, prepare } from "../engine/statement.ts";
import type { Tables } from "../tables.ts";

/** The cap of a row of `key_spend`. */
export const CAP_LIMIT = sql`COALESCE((SELECT CASE key_spend.kind WHEN 'daily' THEN k.daily_limit WHEN 'weekly'
  THEN k.weekly_limit WHEN 'monthly' THEN k.monthly_limit ELSE k.total_limit END
  FROM api_keys AS k WHERE k.id = key_spend.key_id), 9007199254740991)`;

/**
 * The statements that take credit of an account and of a key's windows, where `need` is left of each. Each condition
 * stands inside the write that depends on it, so it is judged again after a wait for the lock.
 */
export function prepareTake(db: Kysely<Tables>) {
  const hold = prepare<{ account: string; amount: number; need: number; bytes: number }, { kept: number }>(
    db,
    sql`UPDATE accounts SET held = held + ${param("amount")}, kept_bytes = kept_bytes + ${param("bytes")}
      WHERE id = ${param("account")} AND active = 1 AND balance - held >= ${param("need")} RETURNING kept_bytes AS kept`,
  );

  // A window that begins now has no row to compare with, so the same condition stands on both branches.
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
