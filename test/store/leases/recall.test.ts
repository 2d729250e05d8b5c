import { randomUUID } from "node:crypto";
import { type Store, windowsOf } from "@manifold-gateway/store";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSqliteEngine } from "../../../packages/store/src/engine/sqlite.ts";
import { openStore } from "../../../packages/store/src/store.ts";
import type { Database } from "../databases/database.ts";
import { makeSqlite } from "../databases/sqlite.ts";
import { elsewhere, makeCaller, makeReservation, NOW } from "../fixtures.ts";

const RUNS = Number(process.env.RECALLS ?? 6);
const CREDIT = 100_000;
const SMALL = 100;
const PROCESSES = 3;
const TICK_MS = 10;
/** For how long a process is busy, in one step. */
const BUSY_MS = 3_000;

/** Amounts are micro-USD; `cost` is that of each request. */
type Step =
  | { do: "small"; process: number; count: number; cost: number; takesMs: number }
  | { do: "busy"; process: number; everyMs: number }
  | { do: "large"; process: number; slack: number; cost: number }
  | { do: "dead"; amount: number }
  | { do: "wait"; ms: number };

const which = fc.nat(PROCESSES - 1);
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("small" as const),
      process: which,
      count: fc.integer({ min: 1, max: 8 }),
      cost: fc.integer({ min: 1, max: 3 }),
      takesMs: fc.constantFrom(0, 5, 60, 700),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("large" as const),
      process: which,
      slack: fc.constantFrom(0, 1, 50, 700, 2_000),
      cost: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("busy" as const),
      process: which,
      everyMs: fc.constantFrom(30, 100),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("dead" as const), amount: fc.constantFrom(1, 900) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(5, 30, 100, 250, 400, 900, 1_300),
    }),
  },
);

/** While a silent process is waited for, another one opens a lease again. */
const OPENED_MEANWHILE: Step[] = [
  { do: "dead", amount: 1 },
  { do: "busy", process: 0, everyMs: 30 },
  { do: "small", process: 0, count: 1, cost: 1, takesMs: 0 },
  { do: "wait", ms: 1_300 },
  { do: "large", process: 1, slack: 700, cost: 1 },
  { do: "small", process: 0, count: 1, cost: 1, takesMs: 0 },
];

/** A large request, and the least that was free or idle while it waited. */
interface Large {
  need: number;
  least: number;
}

describe("credit that lies idle in leases of several processes", () => {
  let database: Database;
  let stores: Store[];
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    database = await makeSqlite();
    stores = [];
    while (stores.length < PROCESSES)
      stores.push(
        await openStore(createSqliteEngine({ path: database.location, synchronous: "normal" }), {
          owner: elsewhere(),
          busy: 2,
        }),
      );
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });

  /** Lets so much time go by, and everything be done that is due in it. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += TICK_MS) {
      vi.advanceTimersByTime(TICK_MS);
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    }
  }

  /** Leaves a lease of a process that is dead, or stands still, and answers nobody. */
  async function leaveLease(caller: { accountId: string; keyId: string }, amount: number): Promise<void> {
    const { accountId, keyId } = caller;
    const { daily, weekly, monthly } = windowsOf(NOW);
    const windows = Object.entries({ daily, weekly, monthly, total: "all" });
    for (const statement of [
      `INSERT INTO leases (id, owner, account_id, key_id, daily, weekly, monthly, amount, step, ending, key_revision,
          recall, created_at)
        SELECT '${randomUUID()}', '${elsewhere()}', '${accountId}', '${keyId}', '${daily}', '${weekly}', '${monthly}',
          ${amount}, 0, 0, 0, recall, 1 FROM accounts WHERE id = '${accountId}'`,
      `UPDATE accounts SET held = held + ${amount} WHERE id = '${accountId}'`,
      ...windows.map(
        ([kind, win]) => `INSERT INTO key_spend (key_id, kind, win, spent, held)
          VALUES ('${keyId}', '${kind}', '${win}', 0, ${amount})
          ON CONFLICT (key_id, kind, win) DO UPDATE SET held = key_spend.held + excluded.held`,
      ),
    ])
      await database.execute(statement);
  }

  async function play(steps: readonly Step[], bound: "balance" | "cap"): Promise<void> {
    const caller = await makeCaller(
      stores[0]!,
      bound === "balance" ? { credit: CREDIT } : { credit: 100 * CREDIT, caps: { total: CREDIT } },
    );
    // Everything that is or may be promised counts as taken, from the wish for it until its end is written.
    let left = CREDIT;
    const larges = new Set<Large>();
    const take = (amount: number): void => {
      left -= amount;
      for (const large of larges) large.least = Math.min(large.least, left + large.need);
    };
    const done: Promise<unknown>[] = [];
    const ask = async (on: Store, amount: number, cost: number, takesMs: number): Promise<boolean> => {
      const reservation = makeReservation(caller, amount, { policy: "strict" });
      const { ok } = await on.money.reserve(reservation);
      if (ok) {
        if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
        await on.money.settle({ id: reservation.generation.id, cost, status: "succeeded" });
      }
      left += ok ? amount - cost : amount;
      return ok;
    };
    for (const step of steps)
      if (step.do === "wait") await pass(step.ms);
      else if (step.do === "small")
        for (let n = 0; n < step.count; n++) {
          take(SMALL);
          done.push(ask(stores[step.process]!, SMALL, step.cost, step.takesMs));
          await pass(TICK_MS);
        }
      else if (step.do === "busy")
        for (let n = 0; n * step.everyMs < BUSY_MS; n++)
          setTimeout(() => {
            take(SMALL);
            done.push(ask(stores[step.process]!, SMALL, 1, 0));
          }, n * step.everyMs);
      else if (step.do === "dead") {
        take(step.amount);
        await leaveLease(caller, step.amount);
      } else {
        const need = left - step.slack;
        if (need < 1) continue;
        take(need);
        const large = { need, least: left + need };
        larges.add(large);
        done.push(
          ask(stores[step.process]!, need, Math.min(step.cost, need), 0).then((ok) => {
            larges.delete(large);
            if (!ok) expect(large.least, `${need} was there all the time`).toBeLessThan(need);
          }),
        );
      }
    for (let n = 0; n < done.length; n++) done[n]!.catch(() => {});
    await pass(BUSY_MS + 3_000);
    await Promise.all(done);
    await stores[0]!.money.recover(Date.now() + 60_000);
    expect(await stores[0]!.money.audit()).toEqual([]);
    expect((await stores[0]!.accounts.get(caller.accountId))?.held).toBe(0);
  }

  it("no request is refused for credit that was free or idle all the time that it waited", {
    timeout: 60_000 + 5_000 * RUNS,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepArbitrary, { minLength: 4, maxLength: 25 }),
        fc.constantFrom("balance" as const, "cap" as const),
        play,
      ),
      { numRuns: RUNS, examples: [[OPENED_MEANWHILE, "balance"]] },
    );
  });
});
