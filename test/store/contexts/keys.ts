import { randomUUID } from "node:crypto";
import {
  KeyTaken,
  lookupHash,
  mintKey,
  type NewKey,
  openKey,
  prefixOf,
  type Store,
  sealKey,
} from "@manifold-gateway/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeCaller, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const SECRET = Buffer.alloc(32, 7);

function newKey(accountId: string, id: string, rest: Partial<NewKey> = {}) {
  const text = mintKey();
  const sealed = sealKey(text, id, SECRET, 1);
  const key = {
    id,
    accountId,
    name: id,
    prefix: prefixOf(text),
    hash: lookupHash(text),
    sealed,
    at: NOW,
    ...rest,
  };
  return { text, key };
}

export const keys: Context = (database) => {
  const store = useStore(database);

  it("each secret that sealed keys is listed with one of them and their number", async () => {
    const { accountId } = await makeCaller(store());
    for (const [id, version] of [
      ["s1", 41],
      ["s2", 41],
      ["s3", 42],
      ["s4", 43],
    ] as const) {
      const { text, key } = newKey(accountId, id);
      await store().keys.create({ ...key, sealed: sealKey(text, id, SECRET, version) });
    }
    await store().keys.revoke({ accountId, id: "s4" }, NOW);
    const samples = (await store().keys.sealedSamples()).filter(({ sealed }) => sealed.version > 40);
    expect(samples.map(({ id, sealed, count }) => [id, sealed.version, count]).sort()).toEqual([
      ["s1", 41, 2],
      ["s3", 42, 1],
    ]);
    for (const { id, sealed } of samples) expect(openKey(sealed, id, SECRET)).toMatch(/^mfk_/);
  });

  it("the last use of a key is the latest that any process noted, and is there at once where it was noted", async () => {
    const moment = fc.record({
      key: fc.constantFrom("u1", "u2"),
      at: fc.integer({ min: 1, max: 1_000 }),
      address: fc.option(fc.constantFrom("10.0.0.7", "2001:db8::1"), { nil: undefined }),
      isElsewhere: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { maxLength: 8 }), async (moments) => {
        const suffix = randomUUID();
        const one = await database().open();
        const other = await database().open();
        const times = new Map<string, number>();
        for (const { key, at, address, isElsewhere } of moments) {
          const id = `${key}-${suffix}`;
          const use = { at, ...(address !== undefined && { address }) };
          (isElsewhere ? other : one).keyUses.note(id, use);
          times.set(id, Math.max(at, times.get(id) ?? 0));
        }
        const ids = ["u1", "u2", "unused"].map((key) => `${key}-${suffix}`);
        const here = moments.filter(({ isElsewhere }) => !isElsewhere);
        const noted = await one.keyUses.of(ids);
        for (const { key, at } of here) expect(noted.get(`${key}-${suffix}`)?.at).toBeGreaterThanOrEqual(at);
        await one.close();
        await other.close();
        const stored = await store().keyUses.of(ids);
        expect(new Map(Array.from(stored, ([id, { at }]) => [id, at]))).toEqual(times);
      }),
      { numRuns: 6 },
    );
  });

  it("a key is found by its hash, and its sealed copy is given to its account only", async () => {
    const { accountId } = await makeCaller(store());
    const { text, key } = newKey(accountId, "k1", { caps: { daily: 5, total: 0 } });
    const created = await store().keys.create(key);
    const found = await store().keys.find(lookupHash(text));
    expect(created).toEqual({ ok: true, key: found });
    expect(found).toEqual({
      id: "k1",
      accountId,
      name: "k1",
      prefix: text.slice(0, 10),
      isActive: true,
      caps: { daily: 5, total: 0 },
      revision: 1,
      createdAt: NOW,
    });
    expect(await store().keys.find(lookupHash(mintKey()))).toBeUndefined();
    const sealed = await store().keys.sealed({ accountId, id: "k1" });
    expect(openKey(sealed!, "k1", SECRET)).toBe(text);
    expect(await store().keys.sealed({ accountId: "other", id: "k1" })).toBeUndefined();
    expect(await store().keys.get({ accountId: "other", id: "k1" })).toBeUndefined();
  });

  it("no key is stored in clear", async () => {
    const { accountId } = await makeCaller(store());
    const { text, key } = newKey(accountId, "k-clear");
    await store().keys.create(key);
    const rows = await database().execute("SELECT * FROM api_keys WHERE id = 'k-clear'");
    expect(JSON.stringify(rows)).not.toContain(text.slice(12));
  });

  it("an account's limit of keys holds, also for simultaneous creations; revoked keys are not counted", async () => {
    const { accountId, keyId } = await makeCaller(store());
    const created = await Promise.all(
      Array.from({ length: 6 }, (_, n) => store().keys.create(newKey(accountId, `many-${n}`).key, 4)),
    );
    expect(created.filter(({ ok }) => ok)).toHaveLength(3);
    expect(created.find(({ ok }) => !ok)).toEqual({ ok: false, limit: 4 });
    await store().keys.revoke({ accountId, id: keyId }, NOW);
    expect((await store().keys.create(newKey(accountId, "one-more").key, 4)).ok).toBe(true);
  });

  it("changing a key raises its revision and the common one", async () => {
    const { keys } = store();
    const { accountId } = await makeCaller(store());
    const { text, key } = newKey(accountId, "k-change");
    const ref = { accountId, id: "k-change" };
    await keys.create(key);
    const before = await keys.revision();
    expect(await keys.change(ref, { name: "renamed" })).toBe(true);
    expect(await keys.change(ref, { caps: { daily: 10, weekly: 20 } })).toBe(true);
    expect(await keys.change(ref, { caps: { daily: null, monthly: 30 } })).toBe(true);
    expect(await keys.change(ref, { isActive: false })).toBe(true);
    expect(await keys.find(lookupHash(text))).toMatchObject({
      name: "renamed",
      caps: { weekly: 20, monthly: 30 },
      isActive: false,
      revision: 5,
    });
    expect(await keys.change(ref, { isActive: true })).toBe(true);
    expect((await keys.find(lookupHash(text)))?.isActive).toBe(true);
    expect(await keys.revision()).toBe(before + 5);
    expect(await keys.change({ ...ref, accountId: "other" }, { name: "mine" })).toBe(false);
    await expect(keys.change(ref, { caps: { daily: -1 } })).rejects.toThrow(/daily must be at least 0/);
    expect(await keys.revision()).toBe(before + 5);
  });

  it("a revoked key stays revoked", async () => {
    const { keys } = store();
    const { accountId } = await makeCaller(store());
    const { text, key } = newKey(accountId, "k-revoke");
    const ref = { accountId, id: "k-revoke" };
    await keys.create(key);
    expect(await keys.revoke(ref, NOW + 5)).toBe(true);
    expect(await keys.find(lookupHash(text))).toBeUndefined();
    expect(await keys.sealed(ref)).toBeUndefined();
    expect(await keys.change(ref, { isActive: true })).toBe(false);
    expect(await keys.revoke(ref, NOW + 9)).toBe(false);
    expect((await keys.list(accountId)).find(({ id }) => id === "k-revoke")).toMatchObject({
      isActive: false,
      revokedAt: NOW + 5,
    });
    await keys.ensure(key);
    expect(await keys.find(lookupHash(text))).toBeUndefined();
    expect(await keys.sealed(ref)).toBeUndefined();
  });

  it("a key is not active while its account is not", async () => {
    const { accountId } = await makeCaller(store());
    const { text, key } = newKey(accountId, "k-account");
    await store().keys.create(key);
    await store().accounts.change(accountId, { isActive: false });
    expect((await store().keys.find(lookupHash(text)))?.isActive).toBe(false);
  });

  describe("a key that is stored already", () => {
    it("a stored key is not stored under another id", async () => {
      const { keys } = store();
      const { accountId } = await makeCaller(store());
      const { text, key } = newKey(accountId, "k-first");
      const { text: kept, key: turned } = newKey(accountId, "k-turned");
      const made = await keys.ensure(key);
      await keys.create(turned);
      const { accountId: other } = await makeCaller(store());
      const before = await keys.revision();
      for (const refused of [
        () => keys.create({ ...key, id: "k-second" }),
        () => keys.create({ ...key, id: "k-second", accountId: other }),
        () => keys.ensure({ ...key, id: "k-second" }),
        () => keys.ensure({ ...turned, hash: key.hash, name: "turned" }),
      ]) {
        const reason = await refused().catch((error: unknown) => error);
        expect(reason).toBeInstanceOf(KeyTaken);
        expect(reason).toMatchObject({ key: made });
      }
      const foreign = keys.create(newKey(other, "k-first").key);
      await expect(foreign).rejects.toThrow("belongs to another account");
      expect(await keys.revision()).toBe(before);
      expect(await keys.find(lookupHash(text))).toEqual(made);
      expect(await keys.find(lookupHash(kept))).toMatchObject({
        id: "k-turned",
        name: "k-turned",
        revision: 1,
      });
    });

    it("a key is stored under one id where several processes store it at once", async () => {
      const other = await database().open();
      for (let round = 0; round < 8; round++) {
        const text = mintKey();
        const same = { hash: lookupHash(text), prefix: prefixOf(text) };
        const contenders = await Promise.all(
          (["create", "ensure", "turn", "create", "ensure", "turn"] as const).map(async (way, i) => {
            const { accountId } = await makeCaller(store());
            const { key } = newKey(accountId, `k-${round}-${i}`);
            if (way === "turn") await store().keys.create(key);
            const { keys } = [store(), other][i % 2] as Store;
            const stored = { ...key, ...same };
            const run = () => (way === "create" ? keys.create(stored) : keys.ensure(stored));
            return { id: key.id, run };
          }),
        );
        const ends = await Promise.allSettled(contenders.map(({ run }) => run()));
        const winner = await store().keys.find(same.hash);
        for (const [i, end] of ends.entries())
          if (contenders[i]?.id === winner?.id) expect(end.status).toBe("fulfilled");
          else {
            expect(end).toMatchObject({ status: "rejected", reason: { key: { id: winner?.id } } });
            expect((end as PromiseRejectedResult).reason).toBeInstanceOf(KeyTaken);
          }
      }
      await other.close();
    });
  });

  describe("ensuring a key", () => {
    it("ensuring a key twice changes nothing, and restores the configuration where that differs", async () => {
      const { keys } = store();
      const { accountId } = await makeCaller(store());
      const { text, key } = newKey(accountId, "k-ensure");
      const made = await keys.ensure(key);
      const before = await keys.revision();
      expect(await keys.ensure({ ...key, sealed: sealKey(text, "k-ensure", SECRET, 1) })).toEqual(made);
      expect(await keys.revision()).toBe(before);
      await keys.change({ accountId, id: "k-ensure" }, { caps: { daily: 3 } });
      expect((await keys.ensure(key)).caps).toEqual({ daily: 3 });
      const configured = await keys.ensure({ ...key, name: "other", caps: { daily: 4 } });
      expect(configured).toMatchObject({ name: "other", caps: { daily: 4 }, revision: 3 });
      await expect(keys.ensure({ ...key, accountId: "other" })).rejects.toThrow("belongs to account");
      const moved = { ...key, id: "k-elsewhere" };
      await expect(keys.ensure(moved)).rejects.toMatchObject({ key: { id: "k-ensure", accountId } });
      await expect(keys.ensure(moved)).rejects.toBeInstanceOf(KeyTaken);
    });
  });
};
