import { sql } from "kysely";
import { REVENUE } from "../accounts.ts";
import { toAmountFrom } from "../amount.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import { toColumn } from "../json.ts";
import type { Tables } from "../tables.ts";
import { StoreUnavailable } from "../unavailable.ts";
import type { Ending, Money } from "./money.ts";

type Taken = Pick<
  Tables["generations"],
  "account_id" | "key_id" | "held" | "daily" | "weekly" | "monthly" | "created_at"
>;

/** The end of a reservation; `cost` 0 with `released` gives everything back. */
export type End = Ending & { cost: number; state: "settled" | "released" };

/**
 * The work of ending reservations: true for each that was still held. Whoever comes first ends it, once. What they
 * come to is taken from an account and from its key's windows in one step.
 */
export function prepareEnd({ db }: Engine): (ends: readonly End[]) => Work<boolean[]> {
  const take = prepare<object, Taken>(
    db,
    sql`UPDATE generations SET status = ${param("status")}, usage = ${param("usage")}, cost = ${param("cost")},
        duration_ms = ${param("duration")}, price = COALESCE(${param("price")}, price),
        route = COALESCE(${param("route")}, route)
      WHERE id = ${param("id")} AND status = 'pending'
      RETURNING account_id, key_id, held, daily, weekly, monthly, created_at`,
  );
  const charge = prepare<object>(
    db,
    sql`INSERT INTO transfers (id, debit_account, credit_account, amount, kind, generation_id, created_at)
      VALUES (${param("transfer")}, ${param("account_id")}, ${sql.lit(REVENUE)}, ${param("cost")}, 'charge',
        ${param("id")}, ${param("at")})`,
  );
  const pay = prepare<object>(
    db,
    sql`UPDATE accounts SET balance = balance - ${param("cost")}, held = held - ${param("held")}
      WHERE id = ${param("account_id")}`,
  );
  // The windows are those of the reservation: a request over midnight counts where it was admitted.
  const spend = prepare<object>(
    db,
    sql`UPDATE key_spend SET spent = spent + ${param("cost")}, held = held - ${param("held")}
      WHERE key_id = ${param("key_id")} AND (
        (kind = 'daily' AND win = ${param("daily")}) OR (kind = 'weekly' AND win = ${param("weekly")}) OR
        (kind = 'monthly' AND win = ${param("monthly")}) OR (kind = 'total' AND win = 'all'))`,
  );

  function* finish({ id, cost, durationMs, ...end }: End): Work<(Taken & { cost: number }) | undefined> {
    const taken = yield* first(
      take({
        id,
        cost,
        status: end.status,
        usage: toColumn(end.usage),
        duration: durationMs ?? null,
        price: toColumn(end.price),
        route: toColumn(end.route),
      }),
    );
    if (taken === undefined) return undefined;
    const at = taken.created_at + (durationMs ?? 0);
    if (cost > 0) yield* charge({ id, cost, account_id: taken.account_id, transfer: `charge:${id}`, at });
    return { ...taken, cost };
  }

  return function* (ends) {
    const sums = new Map<string, Taken & { cost: number }>();
    const were: boolean[] = [];
    for (const end of ends) {
      const ended = yield* finish(end);
      were.push(ended !== undefined);
      if (!ended) continue;
      // A day is a part of one week and of one month.
      const side = `${ended.account_id} ${ended.key_id} ${ended.daily}`;
      const sum = sums.get(side);
      if (sum) {
        sum.cost += ended.cost;
        sum.held += ended.held;
      } else sums.set(side, ended);
    }
    for (const sum of sums.values()) {
      yield* pay(sum);
      if (sum.key_id !== null) yield* spend(sum);
    }
    return were;
  };
}

interface Settle extends Pick<Money, "settle" | "release" | "refund" | "checkpoint"> {
  /** Writes the ends that could not be written when they came. */
  catchUp(): Promise<void>;
}

export function createSettle(engine: Engine): Settle {
  const { db } = engine;
  const end = prepareEnd(engine);
  const checkpoint = prepare<{ id: string; usage: string; price: string | null }>(
    db,
    sql`UPDATE generations SET checkpoint = ${param("usage")}, price = COALESCE(${param("price")}, price)
      WHERE id = ${param("id")} AND status = 'pending'`,
  );
  const refund = function* (id: string, amount: number, at: number): Work<boolean> {
    const charged = yield* first(
      run(db.selectFrom("transfers").select(["debit_account", "amount"]).where("id", "=", `charge:${id}`)),
    );
    if (charged === undefined || amount > charged.amount)
      throw new RangeError(`a refund of ${amount} exceeds the charge of ${charged?.amount ?? 0} for "${id}"`);
    const moved = yield* run(
      db
        .insertInto("transfers")
        .values({
          id: `refund:${id}`,
          debit_account: REVENUE,
          credit_account: charged.debit_account,
          amount,
          kind: "refund",
          generation_id: id,
          created_at: at,
        })
        .onConflict((on) => on.column("id").doNothing())
        .returning("id"),
    );
    if (moved.length === 0) return false;
    yield* run(
      db
        .updateTable("accounts")
        .set((row) => ({ balance: row("balance", "+", amount) }))
        .where("id", "=", charged.debit_account),
    );
    return true;
  };

  /** Recovery leaves alone what this process holds, so what the database did not take is kept until it does. */
  const owed = new Map<string, End>();
  const ended = async (item: End): Promise<boolean> => {
    try {
      const was = await engine.write(
        function* () {
          return (yield* end([item]))[0] === true;
        },
        { lane: item.accountId, batch: { key: "end", item, all: end } },
      );
      owed.delete(item.id);
      return was;
    } catch (error) {
      if (error instanceof StoreUnavailable) owed.set(item.id, item);
      throw error;
    }
  };

  return {
    async settle(ending) {
      return ended({ ...ending, cost: toAmountFrom(0, ending.cost, "cost"), state: "settled" });
    },
    release: (ending) => ended({ ...ending, cost: 0, state: "released" }),
    async catchUp() {
      for (const item of owed.values()) await ended(item);
    },
    async refund(id, amount, at) {
      toAmountFrom(1, amount, "amount");
      return engine.write(() => refund(id, amount, at));
    },
    checkpoint: (id, usage, price) =>
      engine.write(function* () {
        yield* checkpoint({ id, usage: JSON.stringify(usage), price: toColumn(price) });
      }),
  };
}
