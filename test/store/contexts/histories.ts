import { CAPS, type Cap, type Store, windowsOf } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import { setting } from "../../system/money/places.ts";
import type { Database } from "../databases/database.ts";
import { elsewhere, makeCaller, makeKey, makeReservation, priced } from "../fixtures.ts";
import { Model } from "../model.ts";
import type { Context } from "../suite.ts";

/** What may happen next; numbers that choose among what is there are taken modulo how much there is. */
type Step =
  | {
      do: "reserve";
      key: number;
      amount: number;
      /** As large as what there is, also where there is plenty. */
      isLarge: boolean;
      policy: "threshold" | "strict";
      exact: boolean;
      isFree: boolean;
    }
  | { do: "settle"; pick: number; cost: number; isLarge: boolean; times: number }
  | { do: "release"; pick: number }
  | { do: "refund"; pick: number; amount: number }
  | { do: "credit"; amount: number }
  | { do: "cap"; key: number; cap: Cap; limit: number | null }
  | { do: "pass"; ms: number }
  | { do: "checkpoint"; pick: number; output: number }
  | { do: "crash" }
  | { do: "silence" };

const pick = fc.nat(1000);
const HOUR = 3_600_000;
const amount = fc.oneof(fc.nat(40), fc.constant(0), fc.constant(5_000_000_000));
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("reserve" as const),
      key: pick,
      amount: fc.nat(40),
      isLarge: fc.nat(7).map((one) => one === 0),
      policy: fc.constantFrom("threshold" as const, "strict" as const),
      exact: fc.boolean(),
      isFree: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("settle" as const),
      pick,
      cost: fc.nat(50),
      isLarge: fc.nat(7).map((one) => one === 0),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("release" as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("refund" as const),
      pick,
      amount: fc.integer({ min: 1, max: 50 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("credit" as const), amount: amount.map((one) => one + 1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("cap" as const),
      key: pick,
      cap: fc.constantFrom(...CAPS),
      limit: fc.option(fc.nat(90)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("pass" as const),
      ms: fc.constantFrom(1, HOUR, 13 * HOUR, 80 * HOUR, 300 * HOUR),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("checkpoint" as const), pick, output: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("silence" as const) }) },
);

const FIRST_CAPS = { daily: 30, weekly: 60, monthly: 90, total: 150 };

/** With so much more of everything, holds are small beside what is left: requests are let in from leases. */
const LEASED = 1_000;

export const histories: Context = (database) => {
  it.each([
    ["each holding for itself", 1],
    ["let in from leases", LEASED],
  ])(
    "%s agree with the model after every step, and every invariant holds",
    {
      timeout: 240_000,
    },
    async (_, plenty) => {
      const run = async (steps: readonly Step[]) => {
        // One store works and dies; the other watches and recovers.
        const watcher = await database().open();
        const busy = plenty > 1 ? 2 : Number.POSITIVE_INFINITY;
        const open = () => database().open({ owner: elsewhere(), busy });
        let store = await open();
        try {
          const caps = Object.fromEntries(CAPS.map((cap) => [cap, FIRST_CAPS[cap] * plenty]));
          const { accountId, keyId } = await makeCaller(watcher, { credit: 60 * plenty, caps });
          const keys = [keyId, await makeKey(watcher, accountId), undefined];
          const model = new Model(60 * plenty);
          for (const cap of CAPS) model.setCap(keyId, cap, caps[cap]!);
          for (const step of steps) {
            if (step.do === "crash") {
              await store.close();
              expect(await watcher.money.recover(Date.now())).toEqual(model.recover());
              store = await open();
            } else if (step.do === "silence") {
              // It is taken for dead, and goes on.
              expect(await watcher.money.recover(Date.now() + 60_000)).toEqual(model.recover());
              // It has to look before it knows that it has lost its leases.
              await store.money.recall(accountId);
            } else await take(step, store, model, accountId, keys, plenty);
            await compare(database(), watcher, model, accountId, keys);
          }
          await compareLedger(watcher, accountId);
        } finally {
          await store.close();
          await watcher.money.recover(Date.now());
          await watcher.close();
        }
      };
      await fc.assert(fc.asyncProperty(fc.array(stepArbitrary, { minLength: 5, maxLength: 40 }), run), {
        numRuns: setting("HISTORIES", 3),
      });
    },
  );
};

async function take(
  step: Exclude<Step, { do: "crash" | "silence" }>,
  store: Store,
  model: Model,
  accountId: string,
  keys: readonly (string | undefined)[],
  plenty: number,
): Promise<void> {
  const { money } = store;
  switch (step.do) {
    case "reserve": {
      const keyId = keys[step.key % keys.length];
      const { policy, exact } = step;
      const amount = step.isLarge ? step.amount * plenty : step.amount;
      const made = makeReservation({ accountId, ...(keyId === undefined ? {} : { keyId }) }, amount, {
        at: model.now,
        policy,
        exact,
      });
      const free = { ...made, amount: 0, generation: { ...made.generation, price: {} } };
      const reservation = step.isFree ? free : priced(made);
      const reserved = await money.reserve(reservation);
      const expected = model.reserve(reservation);
      if (expected === true) expect(reserved).toEqual({ ok: true });
      else if (typeof expected === "number")
        expect(reserved).toEqual({ ok: false, reason: "balance", available: expected });
      else {
        expect(reserved).toMatchObject({ ok: false, reason: "cap" });
        expect(expected).toContain((reserved as { cap: Cap }).cap);
      }
      return;
    }
    case "settle": {
      const id = model.pick(step.pick);
      if (id === undefined) return;
      const cost = step.isLarge ? step.cost * plenty : step.cost;
      const settle = () => money.settle({ id, accountId, cost, status: "succeeded" });
      const ended = await Promise.all(Array.from({ length: step.times }, settle));
      const expected = ended.map(() => model.end(id, "succeeded", cost));
      expect(ended.map(({ outcome }) => outcome).sort()).toEqual(expected.sort());
      return;
    }
    case "release": {
      const id = model.pick(step.pick);
      if (id === undefined) return;
      const { outcome } = await money.release({ id, status: "failed" });
      expect(outcome).toBe(model.end(id, "failed", 0));
      return;
    }
    case "refund": {
      const id = model.pick(step.pick);
      if (id === undefined) return;
      const refunded = await money.refund(id, step.amount, model.now).catch(() => "refused");
      expect(refunded).toBe(model.refund(id, step.amount));
      return;
    }
    case "credit": {
      const reference = crypto.randomUUID();
      await store.accounts.credit({
        accountId,
        amount: step.amount,
        kind: "topup",
        reference,
        at: model.now,
      });
      model.balance += step.amount;
      return;
    }
    case "cap": {
      const key = step.key % 2;
      const limit = step.limit && step.limit * plenty;
      await store.keys.change({ accountId, id: keys[key]! }, { caps: { [step.cap]: limit } });
      model.setCap(keys[key]!, step.cap, limit);
      return;
    }
    case "pass":
      model.now += step.ms;
      return;
    case "checkpoint": {
      const id = model.pick(step.pick);
      if (id === undefined) return;
      await money.checkpoint(id, { output: step.output });
      model.checkpoint(id, step.output);
    }
  }
}

async function compare(
  database: Database,
  store: Store,
  model: Model,
  accountId: string,
  keys: readonly (string | undefined)[],
) {
  const pending = () => store.generations.list({ accountId, status: "pending" }, { offset: 0, limit: 1 });
  // What was let in from a lease is recorded within milliseconds.
  await expect.poll(async () => (await pending()).total, { interval: 2 }).toBe(model.open);
  const account = await store.accounts.get(accountId);
  const [leased] = await database.execute(
    `SELECT COALESCE((SELECT SUM(amount) FROM leases WHERE account_id = '${accountId}'), 0) AS amount,
      COALESCE((SELECT SUM(leased) FROM generations WHERE account_id = '${accountId}' AND status = 'pending'), 0) AS used`,
  );
  const idle = Number(leased!.amount) - Number(leased!.used);
  expect(idle).toBeGreaterThanOrEqual(0);
  expect([account?.balance, account?.held]).toEqual([model.balance, model.held + idle]);
  for (const key of keys)
    if (key !== undefined)
      expect(await store.money.capStatus(key, model.now)).toEqual(model.status(key, windowsOf(model.now)));
  expect(await store.money.audit()).toEqual([]);
}

/** Each movement begins at the balance that the one before it left, on every page and for every generation. */
async function compareLedger({ accounts, generations, ledger }: Store, accountId: string) {
  const { results: all } = await ledger.list(accountId, { offset: 0, limit: 1_000 });
  let balance = (await accounts.get(accountId))!.balance;
  for (const movement of all) {
    expect(movement.balance).toBe(balance);
    balance -= movement.amount;
  }
  expect(balance).toBe(0);
  const offset = Math.floor(all.length / 2);
  expect((await ledger.list(accountId, { offset, limit: 2 })).results).toEqual(all.slice(offset, offset + 2));
  const byId = new Map(all.map((movement) => [movement.id, movement]));
  const { results: records } = await generations.list({ accountId }, { offset: 0, limit: 1_000 });
  const shared = new Map<string, number>();
  for (const { id, cost = 0 } of records) {
    const movements = await ledger.withBalances({ id, accountId });
    expect(movements).toEqual(movements.map((one) => byId.get(one.id)));
    const [charge] = movements;
    if (charge && charge.generationId === undefined)
      shared.set(charge.id, (shared.get(charge.id) ?? 0) + cost);
    else {
      const refunds = movements.filter(({ kind }) => kind === "refund");
      const sum = movements.filter((one) => !refunds.includes(one)).reduce((sum, one) => sum - one.amount, 0);
      expect(sum).toBe(cost);
    }
    const plain = movements.map(({ balance: _, ...movement }) => movement);
    expect(await ledger.of({ id, accountId })).toEqual(plain);
  }
  for (const [id, cost] of shared) expect(byId.get(id)?.amount).toBe(-cost);
}
