import fc from "fast-check";
import { expect, it } from "vitest";
import { makeCaller, makeReservation } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const COST = 7;
/** Texts with what is rare in them: NUL, halves of characters, and what looks like their escapes. */
const text = fc
  .array(fc.oneof(fc.constantFrom("\0", "\ud800", "\udfff", "\\", "\\u0000", '"', "😀"), fc.string()))
  .map((parts) => parts.join(""));
/** The same without what a database has no text for. */
const readable = (value: string): string => value.replaceAll("\0", "\ufffd").toWellFormed();

export const texts: Context = (database) => {
  const store = useStore(database);

  it("whatever texts its record has, a generation is charged, and found by its record", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (path, detail) => {
        const caller = await makeCaller(store());
        const reservation = makeReservation(caller, COST);
        const { id } = reservation.generation;
        const { accountId } = caller;
        const route = { entry: "e", provider: "p", losses: [{ path, detail }] };
        expect(await store().money.reserve(reservation)).toEqual({ ok: true });
        const ending = { id, status: "succeeded", cost: COST, usage: { totalTokens: 1 }, route } as const;
        expect(await store().money.settle(ending)).toEqual({ outcome: "written" });
        const filter = { accountId, provider: "p", hasLosses: true } as const;
        const { results } = await store().generations.list(filter, { offset: 0, limit: 2 });
        const losses = [{ path: readable(path), detail: readable(detail) }];
        expect(results).toMatchObject([{ id, cost: COST, route: { ...route, losses } }]);
        await store().money.recall(accountId);
        expect(await store().accounts.get(accountId)).toMatchObject({ balance: 1_000_000 - COST, held: 0 });
      }),
      { numRuns: 40 },
    );
    expect(await store().money.audit()).toEqual([]);
  });

  it("an id with a NUL is that of nothing", async () => {
    const { accountId } = await makeCaller(store());
    const id = "a\0b";
    const { accounts, batches, files, generations, jobs, keys } = store();
    for (const found of [
      await accounts.get(id),
      await batches.find(id),
      await files.get({ id, accountId }),
      await generations.find(id),
      await jobs.get({ id, accountId }),
      await keys.get({ id, accountId }),
    ])
      expect(found).toBeUndefined();
    const page = { offset: 0, limit: 1 };
    for (const keyId of [id, [id, "c"]])
      expect((await generations.list({ accountId, keyId }, page)).results).toEqual([]);
  });
};
