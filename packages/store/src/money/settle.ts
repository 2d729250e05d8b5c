import { sql } from "kysely";
import { toAmountFrom } from "../amount.ts";
import type { Engine } from "../engine/engine.ts";
import { param, prepare } from "../engine/statement.ts";
import { toColumn } from "../json.ts";
import type { StoreLog } from "../log.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { type End, prepareEnd } from "./end.ts";
import { prepareLate } from "./late.ts";
import type { Ended, Money } from "./money.ts";

interface Settle extends Pick<Money, "settle" | "release" | "checkpoint" | "lateSettlements"> {
  /** Writes the ends that could not be written when they came. */
  catchUp(): Promise<void>;
}

export function createSettle(engine: Engine, log?: StoreLog): Settle {
  const { db } = engine;
  const end = prepareEnd(engine, prepareLate(engine));
  const checkpoint = prepare<{ id: string; usage: string; price: string | null }>(
    db,
    sql`UPDATE generations SET checkpoint = ${param("usage")}, price = COALESCE(${param("price")}, price)
      WHERE id = ${param("id")} AND status = 'pending'`,
  );

  let late = 0;
  const noteLate = ({ id, accountId, cost, route }: End, recoveredAt: number): void => {
    late += 1;
    const lateMs = Math.max(0, Date.now() - recoveredAt);
    const { provider, entry } = route ?? {};
    log?.warn({ generation: id, account: accountId, provider, entry, cost, lateMs }, "settled late");
  };

  /** Recovery leaves alone what this process holds, so what the database did not take is kept until it does. */
  const owed = new Map<string, End>();
  const write = async (item: End): Promise<Ended> => {
    try {
      const ended = await engine.write(
        function* () {
          return (yield* end([item]))[0]!;
        },
        { account: item.accountId, batch: { key: "end", item, all: end } },
      );
      owed.delete(item.id);
      if (ended.outcome === "late") noteLate(item, ended.recoveredAt);
      return ended;
    } catch (error) {
      if (error instanceof StoreUnavailable) owed.set(item.id, item);
      throw error;
    }
  };

  return {
    async settle(ending) {
      return write({ ...ending, cost: toAmountFrom(0, ending.cost, "cost") });
    },
    release: (ending) => write({ ...ending, cost: 0 }),
    lateSettlements: () => late,
    async catchUp() {
      for (const item of owed.values()) await write(item);
    },
    checkpoint: (id, usage, price) =>
      engine.write(function* () {
        yield* checkpoint({ id, usage: JSON.stringify(usage), price: toColumn(price) });
      }),
  };
}
