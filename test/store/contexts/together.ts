import fc from "fast-check";
import { expect, it } from "vitest";
import { setting } from "../../system/money/places.ts";
import { makeCaller, makeKey, makeReservation, NOW } from "../fixtures.ts";
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
      { numRuns: setting("TOGETHER", 12) },
    );
    expect(await store().money.audit()).toEqual([]);
  });

  it("work of many accounts at one time has the same results as one after the other", {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(crowds, async ({ callers, asked, policy }) => {
        const { money, accounts } = store();
        const make = () =>
          Promise.all(
            callers.map(async ({ credit, caps }) => {
              const { accountId, keyId } = await makeCaller(store(), { credit, caps });
              return { accountId, keys: [keyId, await makeKey(store(), accountId, caps)] };
            }),
          );
        const reservationsOf = (made: Awaited<ReturnType<typeof make>>) =>
          asked.map(({ caller, key, day, amount }) => {
            const { accountId, keys } = made[caller % made.length]!;
            return makeReservation({ accountId, keyId: keys[key]! }, amount, {
              policy,
              at: NOW + day * DAY_MS,
            });
          });
        const [atOnce, inTurn] = [await make(), await make()];
        const [first, second] = [reservationsOf(atOnce), reservationsOf(inTurn)];
        const ending = (i: number, { generation: { id, accountId } }: (typeof first)[number]) =>
          money.settle({ id, accountId, status: "succeeded", cost: asked[i]!.cost });
        const answers = await Promise.all(first.map((one) => money.reserve(one)));
        const expected = [];
        for (const one of second) expected.push(await money.reserve(one));
        expect(answers).toEqual(expected);
        const admitted = asked.flatMap((_, i) => (answers[i]!.ok ? [i] : []));
        const ends = await Promise.all(admitted.flatMap((i) => [ending(i, first[i]!), ending(i, first[i]!)]));
        expect(ends.map(({ outcome }) => outcome)).toEqual(admitted.flatMap(() => ["written", "repeated"]));
        for (const i of admitted) await ending(i, second[i]!);
        const stateOf = (made: typeof atOnce) =>
          Promise.all(
            made.map(async ({ accountId, keys }) => {
              const account = await accounts.get(accountId);
              const days = [NOW, NOW + DAY_MS].flatMap((at) => keys.map((key) => money.capStatus(key, at)));
              return [account?.balance, account?.held, await Promise.all(days)];
            }),
          );
        expect(await stateOf(atOnce)).toEqual(await stateOf(inTurn));
      }),
      { numRuns: setting("TOGETHER", 12) },
    );
    expect(await store().money.audit()).toEqual([]);
  });
};
