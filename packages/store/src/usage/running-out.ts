import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";

/** An account whose credit is less than its spending in a period. */
export interface RunningOut {
  /** The account. */
  id: string;
  /** Its name. */
  name: string;
  /** Its credit minus its holds, in micro-USD. */
  available: number;
  /** Its spending in the period, in micro-USD. */
  spent: number;
}

/**
 * The work of finding the active accounts whose credit is less than their spending since `from`, a whole hour. Those
 * with the smallest share of it come first.
 */
export const readRunningOut = ({ db }: Engine, from: number, limit: number): Work<RunningOut[]> =>
  run(
    db
      .selectFrom("accounts")
      .innerJoin("hourly_sums", "hourly_sums.account_id", "accounts.id")
      .where("accounts.active", "=", 1)
      .where("hourly_sums.hour", ">=", from)
      .select(["accounts.id", "accounts.name"])
      .select([
        sql<number>`accounts.balance - accounts.held`.as("available"),
        sql<number>`CAST(SUM(hourly_sums.cost) AS BIGINT)`.as("spent"),
      ])
      .groupBy(["accounts.id", "accounts.name", "accounts.balance", "accounts.held"])
      // An overdrawn account without spending is not running out, and the share would divide by zero.
      .having(sql<boolean>`SUM(hourly_sums.cost) > 0`)
      .having(sql<boolean>`SUM(hourly_sums.cost) > accounts.balance - accounts.held`)
      .orderBy(sql`(accounts.balance - accounts.held) * 1.0 / SUM(hourly_sums.cost)`)
      .limit(limit),
  );
