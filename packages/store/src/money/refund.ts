import { REVENUE } from "../accounts/accounts.ts";
import { prepareArchivedMonth } from "../archive/removed.ts";
import { createRecorder, type Recorder } from "../audit-log.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { first, run } from "../engine/statement.ts";
import { toAmountFrom } from "../pricing/amount.ts";
import type { Money } from "./money.ts";

export function createRefund(engine: Engine): Pick<Money, "refund"> {
  const { db, dialect } = engine;
  const archivedMonth = prepareArchivedMonth(engine);
  const refund = function* (id: string, amount: number, at: number, record: Recorder): Work<boolean> {
    // A late settlement may be changing the cost: the lock makes it and the refund wait for each other.
    const generation = yield* first(
      run(
        db
          .selectFrom("generations")
          .select(["account_id", "cost", "created_at"])
          .where("id", "=", id)
          .modifyEnd(dialect.locks.exclusive),
      ),
    );
    const cost = generation?.cost ?? 0;
    const archived = generation && (yield* archivedMonth(generation.created_at));
    if (archived?.isRemoved)
      throw new RangeError(`"${id}" cannot be refunded: the records of ${archived.month} are being archived`);
    if (generation === undefined || amount > cost)
      throw new RangeError(`a refund of ${amount} exceeds the charge of ${cost} for "${id}"`);
    const moved = yield* run(
      db
        .insertInto("transfers")
        .values({
          id: `refund:${id}`,
          debit_account: REVENUE,
          credit_account: generation.account_id,
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
        .where("id", "=", generation.account_id),
    );
    yield* record({
      action: "charge_refunded",
      accountId: generation.account_id,
      subject: id,
      after: { amount },
    });
    return true;
  };
  return {
    async refund(id, amount, at, by = { actor: "service", at }) {
      toAmountFrom(1, amount, "amount");
      const recorder = createRecorder(engine, by);
      return engine.write(() => refund(id, amount, at, recorder()));
    },
  };
}
