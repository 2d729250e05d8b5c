import { type Reserved, windowsOf } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import { setting } from "../../system/money/places.ts";
import { makeCaller, makeKey, makeReservation, NOW } from "../fixtures.ts";
import { Model } from "../model.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const amounts = fc.array(fc.record({ amount: fc.nat(30), exact: fc.boolean() }), {
  minLength: 1,
  maxLength: 12,
});
const limit = fc.nat(120);
const cases = fc.record({
  amounts,
  credit: limit,
  caps: fc.record({ daily: limit, total: limit }, { requiredKeys: [] }),
  policy: fc.constantFrom("strict", "threshold"),
  costs: fc.array(fc.nat(40), { minLength: 12, maxLength: 12 }),
});

const DAY_MS = 86_400_000;
const crowds = fc.record({
  callers: fc.array(fc.record({ credit: limit, caps: fc.record({ daily: limit, total: limit }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  asked: fc.array(
    fc.record({ caller: fc.nat(2), key: fc.nat(1), day: fc.nat(1), amount: fc.nat(30), cost: fc.nat(40) }),
    { minLength: 1, maxLength: 16 },
  ),
  policy: fc.constantFrom("strict", "threshold"),
});

/** Admitted, or what is in the way: of several caps the one that ends last. */
function verdictOf(answer: Reserved | ReturnType<Model["reserve"]>): unknown {
  if (answer === true || typeof answer === "number") return answer;
  if (Array.isArray(answer)) return answer.includes("total") ? "total" : answer[0];
  if (answer.ok) return true;
  return answer.reason === "balance" ? answer.available : answer.reason === "cap" && answer.cap;
}

export const together: Context = (database) => {
  const store = useStore(database);

  it("simultaneous reservations have the same results as consecutive ones", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ amounts, credit, caps, policy, costs }) => {
        const { money, accounts } = store();
        const [atOnce, inTurn] = [
          await makeCaller(store(), { credit, caps }),
          await makeCaller(store(), { credit, caps }),
        ];
        const asked = (caller: typeof atOnce) =>
          amounts.map(({ amount, exact }) => makeReservation(caller, amount, { policy, exact }));
        const first = asked(atOnce);
        const answers = await Promise.all(first.map((one) => money.reserve(one)));
        const second = asked(inTurn);
        const expected = [];
        for (const one of second) expected.push(await money.reserve(one));
        expect(answers).toEqual(expected);
        expect((await accounts.get(atOnce.accountId))?.held).toBe(
          (await accounts.get(inTurn.accountId))?.held,
        );

        // Every end twice, one of them a release: whoever comes first counts.
        const admitted = first.filter((_, i) => answers[i]?.ok);
        const ends = await Promise.all(
          admitted.flatMap(({ generation: { id, accountId } }, i) => [
            money.settle({ id, accountId, status: "succeeded", cost: costs[i] as number }),
            money.release({ id, accountId, status: "failed" }),
          ]),
        );
        const outcomes = admitted.flatMap(() => ["written", "refused"]);
        expect(ends.map(({ outcome }) => outcome)).toEqual(outcomes);
        const spent = admitted.reduce((sum, _, i) => sum + (costs[i] as number), 0);
        expect(await accounts.get(atOnce.accountId)).toMatchObject({ held: 0, balance: credit - spent });
        const status = await money.capStatus(atOnce.keyId, first[0]?.at as number);
        for (const cap of Object.values(status)) expect(cap?.spent).toBe(spent);
      }),
      { numRuns: setting("TOGETHER", 5) },
    );
    expect(await store().money.audit()).toEqual([]);
  });

  it("work of many accounts at one time has the same results as one after the other", {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(crowds, async ({ callers, asked, policy }) => {
        const { money, accounts } = store();
        const made = await Promise.all(
          callers.map(async ({ credit, caps }) => {
            const { accountId, keyId } = await makeCaller(store(), { credit, caps });
            const keys = [keyId, await makeKey(store(), accountId, caps)];
            const model = new Model(credit);
            for (const key of keys)
              for (const cap of ["daily", "total"] as const) model.setCap(key, cap, caps[cap]);
            return { accountId, keys, model };
          }),
        );
        const pieces = asked.map(({ caller, key, day, amount, cost }) => {
          const { accountId, keys, model } = made[caller % made.length]!;
          const at = NOW + day * DAY_MS;
          const reservation = makeReservation({ accountId, keyId: keys[key]! }, amount, { policy, at });
          return { reservation, cost, model };
        });
        const answers = await Promise.all(pieces.map(({ reservation }) => money.reserve(reservation)));
        for (const [i, { reservation, model }] of pieces.entries())
          expect(verdictOf(answers[i]!)).toEqual(verdictOf(model.reserve(reservation)));
        const admitted = pieces.filter((_, i) => answers[i]!.ok);
        // Every end twice: whoever comes first counts.
        const ends = await Promise.all(
          admitted.flatMap(({ reservation: { generation }, cost }) => {
            const { id, accountId } = generation;
            const end = () => money.settle({ id, accountId, status: "succeeded", cost });
            return [end(), end()];
          }),
        );
        expect(ends.map(({ outcome }) => outcome)).toEqual(
          admitted.flatMap(({ reservation: { generation }, cost, model }) =>
            [1, 2].map(() => model.end(generation.id, "succeeded", cost)),
          ),
        );
        for (const { accountId, keys, model } of made) {
          const { balance, held } = model;
          expect(await accounts.get(accountId)).toMatchObject({ balance, held });
          for (const at of [NOW, NOW + DAY_MS])
            for (const key of keys)
              expect(await money.capStatus(key, at)).toEqual(model.status(key, windowsOf(at)));
        }
      }),
      { numRuns: setting("TOGETHER", 5) },
    );
    expect(await store().money.audit()).toEqual([]);
  });
};
