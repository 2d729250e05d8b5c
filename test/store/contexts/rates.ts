import { randomUUID } from "node:crypto";
import type { Store } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import { makeCaller, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

export const rates: Context = (database) => {
  const store = useStore(database);
  const enter = (of: Store, keyId: string, limits: Parameters<Store["keyRates"]["enter"]>[1], at = NOW) => {
    const request = { keyId, id: randomUUID(), at };
    return of.keyRates.enter(request, limits).then((entered) => ({ ...request, entered }));
  };

  it("rates are counted together by all stores of a database", async () => {
    const { keyId } = await makeCaller(store());
    const other = await database().open();
    const limits = { requestsPerMinute: 7 };
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, i) => enter(i % 2 === 0 ? store() : other, keyId, limits)),
    );
    expect(asked.filter(({ entered }) => entered.ok).length).toBe(7);
    expect((await enter(other, keyId, limits, NOW + 59_000)).entered).toMatchObject({
      ok: false,
      by: "requests",
    });
    expect((await enter(other, keyId, limits, NOW + 65_000)).entered.ok).toBe(true);
    await other.close();
  });

  it("the limit of requests at one time holds for all stores, until each request ends", async () => {
    const { keyId } = await makeCaller(store());
    const other = await database().open();
    const limits = { concurrentRequests: 3 };
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, i) => enter(i % 2 === 0 ? store() : other, keyId, limits)),
    );
    const inside = asked.filter(({ entered }) => entered.ok);
    expect(inside.length).toBe(3);
    expect((await enter(other, keyId, limits)).entered).toMatchObject({
      ok: false,
      by: "concurrency",
      limit: 3,
    });
    // Done twice, an end frees one place.
    for (const of of [store(), other]) await of.keyRates.leave({ ...inside[0]!, tokens: 0 });
    expect((await enter(store(), keyId, limits)).entered.ok).toBe(true);
    expect((await enter(store(), keyId, limits)).entered.ok).toBe(false);
    await other.close();
  });

  it("a store that is gone frees its places", async () => {
    const { keyId } = await makeCaller(store());
    const other = await database().open();
    const limits = { concurrentRequests: 1 };
    expect((await enter(other, keyId, limits)).entered.ok).toBe(true);
    expect((await enter(store(), keyId, limits)).entered.ok).toBe(false);
    await other.close();
    expect((await enter(store(), keyId, limits)).entered.ok).toBe(true);
  });

  it("tokens are set aside before they are used", async () => {
    const { keyId } = await makeCaller(store());
    const limits = { tokensPerMinute: 100 };
    const [a, b] = [await enter(store(), keyId, limits), await enter(store(), keyId, limits)];
    const { keyRates } = store();
    expect(await keyRates.reserve({ ...a, tokens: 150 }, limits)).toMatchObject({
      ok: true,
      remaining: { tokens: { limit: 100, remaining: 0 } },
    });
    expect(await keyRates.reserve({ ...b, tokens: 1 }, limits)).toMatchObject({ ok: false, by: "tokens" });
    await keyRates.leave({ ...a, tokens: 30 });
    expect(await keyRates.reserve({ ...b, tokens: 1 }, limits)).toMatchObject({
      ok: true,
      remaining: { tokens: { remaining: 69 } },
    });
  });

  it("rates and other restrictions are kept with a key, and changed one by one", async () => {
    const { accountId, keyId: id } = await makeCaller(store());
    const ref = { accountId, id };
    const { keys } = store();
    const before = await keys.revision();
    await keys.change(ref, { restrictions: { requestsPerMinute: 5, models: ["a", "b-*"], expiresAt: NOW } });
    await Promise.all([
      keys.change(ref, { restrictions: { requestsPerMinute: 6 } }),
      keys.change(ref, { restrictions: { expiresAt: null } }),
    ]);
    expect((await keys.get(ref))?.restrictions).toEqual({ requestsPerMinute: 6, models: ["a", "b-*"] });
    expect(await keys.revision()).toBeGreaterThan(before);
    await keys.change(ref, { restrictions: { requestsPerMinute: null, models: null } });
    expect(await keys.get(ref)).not.toHaveProperty("restrictions");
    expect(await keys.change({ accountId: "other", id }, { restrictions: {} })).toBe(false);
  });
};
