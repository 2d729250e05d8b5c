import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { type Column, prepareEach, toRounds } from "../engine/many.ts";
import { param, UNASKED } from "../engine/statement.ts";
import type { Alerts } from "../outbox/alerts.ts";
import type { Tables } from "../tables.ts";
import { CAP_LIMIT } from "./take.ts";

/** The ends of one account, key and day: what they cost, and what is not held for them any more. */
export interface Sum
  extends Pick<Tables["generations"], "account_id" | "key_id" | "held" | "daily" | "weekly" | "monthly"> {
  cost: number;
  /** The generation of the first. */
  cause: string;
  /** The time of the last, in ms. */
  at: number;
}

/** A window of a key after an end, with its limit. */
interface Spent {
  key_id: string;
  kind: string;
  win: string;
  spent: number;
  cap: number;
}

/** The windows are those of the reservation: a request over midnight counts where it was admitted. */
export const SPEND = sql`UPDATE key_spend SET spent = spent + ${param("cost")}, held = held - ${param("held")}
  WHERE key_id = ${param("key_id")} AND (
    (kind = 'daily' AND win = ${param("daily")}) OR (kind = 'weekly' AND win = ${param("weekly")}) OR
    (kind = 'monthly' AND win = ${param("monthly")}) OR (kind = 'total' AND win = 'all'))`;

const PAID: readonly Column[] = [
  ["account_id", "account_id", "TEXT"],
  ["cost", "cost", "BIGINT"],
  ["held", "held", "BIGINT"],
];
const WINDOWS: readonly Column[] = [
  ...(["key_id", "daily", "weekly", "monthly"] as const).map((name) => [name, name, "TEXT"] as const),
  ["cost", "cost", "BIGINT"],
  ["held", "held", "BIGINT"],
];

/** The statements of `preparePay`; what is left is asked for where somebody wants to know. */
function prepareStatements(engine: Engine, isAsked: boolean) {
  const options = isAsked ? {} : UNASKED;
  const pay = prepareEach<{ account_id: string; balance: number }>(
    engine,
    PAID,
    (value, from) => sql`UPDATE accounts SET balance = accounts.balance - ${value("cost")},
        held = accounts.held - ${value("held")} ${from}
      WHERE accounts.id = ${value("account_id")}
      ${isAsked ? sql`RETURNING accounts.id AS account_id, accounts.balance AS balance` : sql``}`,
    options,
  );
  const returning = isAsked
    ? sql`RETURNING key_spend.key_id AS key_id, key_spend.kind AS kind, win, spent, ${CAP_LIMIT} AS cap`
    : sql``;
  const spend = prepareEach<Spent>(
    engine,
    WINDOWS,
    (value, from) =>
      engine.dialect === "sqlite"
        ? sql<Spent>`${SPEND} ${returning}`
        : sql<Spent>`UPDATE key_spend SET spent = key_spend.spent + ${value("cost")},
            held = key_spend.held - ${value("held")} ${from}
          CROSS JOIN LATERAL (VALUES ('daily', ${value("daily")}), ('weekly', ${value("weekly")}),
            ('monthly', ${value("monthly")}), ('total', 'all')) AS w (name, period)
          WHERE key_spend.key_id = ${value("key_id")} AND key_spend.kind = w.name AND key_spend.win = w.period
          ${returning}`,
    options,
  );
  return { pay, spend };
}

/**
 * The work of taking costs from balances, and of adding them to what the windows of keys have spent; no two sums may
 * be of one account, key and day. Events are about what is left: where none are written, it is not asked for.
 */
export function preparePay(engine: Engine, alerts: Alerts): (sums: readonly Sum[]) => Work<void> {
  const silent = prepareStatements(engine, false);
  const telling = prepareStatements(engine, true);
  return function* (sums) {
    const { pay, spend } = alerts.isOn() ? telling : silent;
    const paid = yield* pay(byAccount(sums));
    const balances = new Map(paid.map(({ account_id, balance }) => [account_id, balance]));
    // Two days of a key share windows, and a statement changes a row once.
    const rounds = toRounds(
      sums.filter(({ key_id }) => key_id !== null),
      ({ key_id }) => key_id as string,
    );
    const windows = new Map<Sum, Spent[]>();
    for (const round of rounds) {
      const spent = Map.groupBy(yield* spend(round), ({ key_id }) => key_id);
      for (const sum of round) windows.set(sum, spent.get(sum.key_id as string) ?? []);
    }
    // The balance is what it is after all of them: the last is told first.
    for (const sum of sums.toReversed()) {
      const balance = balances.get(sum.account_id);
      if (balance === undefined) continue;
      balances.set(sum.account_id, balance + sum.cost);
      const own = windows.get(sum) ?? [];
      const caps = Object.fromEntries(own.map(({ kind, cap }) => [kind, cap]));
      yield* alerts.charged(sum, { ...sum, balance, windows: own, caps });
    }
  };
}

function byAccount(sums: readonly Sum[]): Pick<Sum, "account_id" | "cost" | "held">[] {
  const [only] = sums;
  if (only && sums.length === 1) return [only];
  return [...Map.groupBy(sums, ({ account_id }) => account_id)].map(([account_id, own]) => ({
    account_id,
    cost: own.reduce((sum, { cost }) => sum + cost, 0),
    held: own.reduce((sum, { held }) => sum + held, 0),
  }));
}
