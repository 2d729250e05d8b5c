import { sql } from "kysely";
import { type Column, prepareEach, toRounds } from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { param, UNASKED } from "../engine/statement.ts";
import type { Alerts } from "../outbox/alerts.ts";
import type { Side } from "./end.ts";
import { CAP_LIMIT } from "./take-credit.ts";

/** The sum of the ends of one account, key and day: their cost, and the holds that they free. */
export interface Sum extends Side {
  /** The generation of the first end. */
  cause: string;
  /** The time of the last end, in ms. */
  at: number;
}

/** A key's window after an end, with its limit. */
interface Spent {
  key: string;
  kind: string;
  win: string;
  spent: number;
  cap: number;
}

/** Adds a cost to the windows of the reservation: a request that runs past midnight counts for the day it began. */
export const SPEND = sql`UPDATE key_spend SET spent = spent + ${param("cost")}, held = held - ${param("held")}
  WHERE key_id = ${param("key")} AND (
    (kind = 'daily' AND win = ${param("daily")}) OR (kind = 'weekly' AND win = ${param("weekly")}) OR
    (kind = 'monthly' AND win = ${param("monthly")}) OR (kind = 'total' AND win = 'all'))`;

const PAID: readonly Column[] = [
  ["account", "account", "TEXT"],
  ["cost", "cost", "BIGINT"],
  ["held", "held", "BIGINT"],
];
const WINDOWS: readonly Column[] = [
  ...(["key", "daily", "weekly", "monthly"] as const).map((name) => [name, name, "TEXT"] as const),
  ["cost", "cost", "BIGINT"],
  ["held", "held", "BIGINT"],
];

/** The statements of `preparePay`; they return the new balances and windows if `isAsked`. */
function prepareStatements(engine: Engine, returnsRows: boolean) {
  const options = returnsRows ? {} : UNASKED;
  const pay = prepareEach<{ account: string; balance: number }>(
    engine,
    PAID,
    (value, from) => sql`UPDATE accounts SET balance = accounts.balance - ${value("cost")},
        held = accounts.held - ${value("held")} ${from}
      WHERE accounts.id = ${value("account")}
      ${returnsRows ? sql`RETURNING accounts.id AS account, accounts.balance AS balance` : sql``}`,
    options,
  );
  const returning = returnsRows
    ? sql`RETURNING key_spend.key_id AS key, key_spend.kind AS kind, win, spent, ${CAP_LIMIT} AS cap`
    : sql``;
  const spend = prepareEach<Spent>(
    engine,
    WINDOWS,
    (value, from) =>
      !engine.dialect.supportsArrays
        ? sql<Spent>`${SPEND} ${returning}`
        : sql<Spent>`UPDATE key_spend SET spent = key_spend.spent + ${value("cost")},
            held = key_spend.held - ${value("held")} ${from}
          CROSS JOIN LATERAL (VALUES ('daily', ${value("daily")}), ('weekly', ${value("weekly")}),
            ('monthly', ${value("monthly")}), ('total', 'all')) AS w (name, period)
          WHERE key_spend.key_id = ${value("key")} AND key_spend.kind = w.name AND key_spend.win = w.period
          ${returning}`,
    options,
  );
  return { pay, spend };
}

/**
 * The work of charging costs to balances and to the windows of keys. No two sums may have the same account, key and
 * day. The new balances are read only if events are on, because only events need them.
 */
export function preparePay(engine: Engine, alerts: Alerts): (sums: readonly Sum[]) => Work<void> {
  const silent = prepareStatements(engine, false);
  const telling = prepareStatements(engine, true);
  return function* (sums) {
    const { pay, spend } = alerts.isOn() ? telling : silent;
    const paid = yield* pay(byAccount(sums));
    const balances = new Map(paid.map(({ account, balance }) => [account, balance]));
    // Two days of a key share windows, and one statement can change a row only once.
    const rounds = toRounds(
      sums.filter(({ key }) => key !== null),
      ({ key }) => key as string,
    );
    const windows = new Map<Sum, Spent[]>();
    for (const round of rounds) {
      const spent = Map.groupBy(yield* spend(round), ({ key }) => key);
      for (const sum of round) windows.set(sum, spent.get(sum.key as string) ?? []);
    }
    // `balance` is the one after all sums: events are made from the last sum to the first.
    for (const sum of sums.toReversed()) {
      const balance = balances.get(sum.account);
      if (balance === undefined) continue;
      balances.set(sum.account, balance + sum.cost);
      const sumWindows = windows.get(sum) ?? [];
      const caps = Object.fromEntries(sumWindows.map(({ kind, cap }) => [kind, cap]));
      yield* alerts.charged(sum, { ...sum, balance, windows: sumWindows, caps });
    }
  };
}

function byAccount(sums: readonly Sum[]): Pick<Sum, "account" | "cost" | "held">[] {
  const [only] = sums;
  if (only && sums.length === 1) return [only];
  return [...Map.groupBy(sums, ({ account }) => account)].map(([account, group]) => ({
    account,
    cost: group.reduce((sum, { cost }) => sum + cost, 0),
    held: group.reduce((sum, { held }) => sum + held, 0),
  }));
}
