import { sql } from "kysely";
import { toRounds } from "../engine/bulk-statements.ts";
import type { Engine, Work } from "../engine/engine.ts";
import type { Alerts } from "../outbox/alerts.ts";
import type { Side } from "./end.ts";
import { type Payment, preparePayments, prepareSpendings } from "./settlement.ts";
import { CAP_LIMIT } from "./take-credit.ts";

/** The sum of the ends of one account, key and day: their cost, and the holds that they free. */
export interface Sum extends Side {
  /** The generation of the first end. */
  cause: string;
  /** The time of the last end, in ms. */
  at: number;
}

/** An account after a payment. */
interface Paid {
  account: string;
  balance: number;
}

/** A key's window after a payment, with its limit. */
interface Spent {
  key: string;
  kind: string;
  win: string;
  spent: number;
  cap: number;
}

/**
 * The work of charging costs to balances and to the windows of keys. No two sums may have the same account, key and
 * day. The new balances are read only if events are on, because only events need them.
 */
export function preparePay(engine: Engine, alerts: Alerts): (sums: readonly Sum[]) => Work<void> {
  const silent = { pay: preparePayments<Paid>(engine), spend: prepareSpendings<Spent>(engine) };
  const returning = {
    pay: preparePayments<Paid>(engine, sql`accounts.id AS account, accounts.balance AS balance`),
    spend: prepareSpendings<Spent>(
      engine,
      sql`key_spend.key_id AS key, key_spend.kind AS kind, win, spent, ${CAP_LIMIT} AS cap`,
    ),
  };
  return function* (sums) {
    const { pay, spend } = alerts.isOn() ? returning : silent;
    const paid = yield* pay(byAccount(sums));
    const balances = new Map(paid.map(({ account, balance }) => [account, balance]));
    const windows = new Map<Sum, Spent[]>();
    for (const round of toRounds(sums)) {
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

function byAccount(sums: readonly Sum[]): Payment[] {
  const payments = new Map<string, Payment>();
  for (const { account, cost, held } of sums) {
    const { cost: paid = 0, held: freed = 0 } = payments.get(account) ?? {};
    payments.set(account, { account, cost: paid + cost, held: freed + held });
  }
  return [...payments.values()];
}
