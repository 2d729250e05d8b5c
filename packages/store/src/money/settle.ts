import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { toColumn } from "../engine/json-columns.ts";
import type { StoreLog } from "../engine/log.ts";
import { param, prepare } from "../engine/statement.ts";
import { StoreUnavailable } from "../engine/unavailable.ts";
import type { Leases } from "../leases/leases.ts";
import type { Alerts } from "../outbox/alerts.ts";
import { toAmountFrom } from "../pricing/amount.ts";
import { assignmentsOf, IS_PENDING, type WrittenValues } from "../usage/generation-columns.ts";
import type { Latencies } from "../usage/latencies.ts";
import { type End, prepareEnd } from "./end.ts";
import { prepareLate } from "./late-end.ts";
import type { Ended, Money } from "./money.ts";

interface Settle extends Pick<Money, "settle" | "release" | "checkpoint" | "lateSettlements"> {
  /** Writes the ends that could not be written before. */
  catchUp(): Promise<void>;
}

/** Counts and logs ends that came after recovery's. */
export interface LateNotes {
  noteLate(end: End, late: { recoveredAt: number }): void;
  lateSettlements(): number;
}

export function createLateNotes(log?: StoreLog): LateNotes {
  let count = 0;
  return {
    noteLate({ id, accountId, cost, route }, { recoveredAt }) {
      count += 1;
      const lateMs = Math.max(0, Date.now() - recoveredAt);
      const { provider, entry } = route ?? {};
      log?.warn({ generation: id, account: accountId, provider, entry, cost, lateMs }, "settled late");
    },
    lateSettlements: () => count,
  };
}

export function createSettle(
  engine: Engine,
  leases: Leases,
  { noteLate, lateSettlements }: LateNotes,
  { alerts, latencies }: { alerts: Alerts; latencies: Pick<Latencies, "note"> },
): Settle {
  const { db } = engine;
  const end = prepareEnd(engine, { otherwise: prepareLate(engine), alerts });
  const checkpoint = prepare<WrittenValues<"checkpoint"> & { id: string }>(
    db,
    sql`UPDATE generations SET ${assignmentsOf("checkpoint", param)}
      WHERE id = ${param("id")} AND ${IS_PENDING}`,
  );

  /** Ends that the database could not take. They are kept here, as recovery does not end what a live process holds. */
  const owed = new Map<string, End>();
  const write = async (item: End): Promise<Ended> => {
    toAmountFrom(0, item.cost, "cost");
    // Wait for an end of this generation that is being written: it decides whether this one counts.
    for (let other = leases.ending(item.id); other; other = leases.ending(item.id)) await other;
    const ended = leases.end(item);
    if (ended) return ended;
    try {
      const { ended, entry } = await engine.write(
        function* () {
          return (yield* end([item]))[0]!;
        },
        { account: item.accountId, batch: { key: "end", item, all: end, isAcross: true } },
      );
      owed.delete(item.id);
      if (entry) latencies.note({ id: item.id, entry, route: item.route });
      if (ended.outcome === "late") noteLate(item, ended);
      return ended;
    } catch (error) {
      if (error instanceof StoreUnavailable) owed.set(item.id, item);
      throw error;
    }
  };

  return {
    settle: write,
    release: (ending) => write({ ...ending, cost: 0 }),
    lateSettlements,
    async catchUp() {
      await leases.catchUp();
      for (const item of owed.values()) await write(item);
    },
    async checkpoint(id, usage, price) {
      await leases.recorded(id);
      await engine.write(function* () {
        yield* checkpoint({ id, checkpoint: JSON.stringify(usage), price: toColumn(price) });
      });
    },
  };
}
