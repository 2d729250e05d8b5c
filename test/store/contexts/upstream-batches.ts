import { randomUUID } from "node:crypto";
import type { BatchRef, NewLine } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const LEASE = 60_000;
const COST = 7;

export const upstreamBatches: Context = (database) => {
  const store = useStore(database);

  /** A batch with lines, and the lease of its worker. */
  const make = async (count: number) => {
    const caller = await makeCaller(store());
    const { accountId } = caller;
    const [id, input] = [`batch_${randomUUID()}`, `file-${randomUUID()}`];
    const file = { id: input, accountId, purpose: "batch", name: "a", bytes: 1, key: input, createdAt: NOW };
    await store().files.add(file, 1e9);
    const terms = { surface: "chatstyle", endpoint: "/v1/x", input, terms: {} };
    await store().batches.create(
      { id, ...caller, ...terms, createdAt: NOW, expiresAt: NOW + 1 },
      { most: 9 },
    );
    const claim = async (owner: string, now: number): Promise<BatchRef> => {
      const all = await store().batches.claim(owner, { now, until: now + LEASE, most: 1_000 });
      return { id, owner, attempt: all.find((one) => one.id === id)!.attempt };
    };
    const ref = await claim("worker", NOW);
    const lines: NewLine[] = Array.from({ length: count }, (_, at) => ({
      ...{ number: at + 1, start: 10 * at, length: 9 },
    }));
    await store().batchLines.add(ref, lines);
    return { caller, id, accountId, ref, claim };
  };
  const waiting = (id: string) => store().batchLines.waiting(id, { after: 0, most: 9 });

  it("a batch of a provider is written by the worker that has the lease, and found until it has ended", async () => {
    const { id, ref, claim } = await make(1);
    const record = { id: randomUUID(), terms: { a: [1] }, lines: 2, createdAt: NOW };
    const { upstreamBatches } = store();
    expect(await upstreamBatches.open(ref, record)).toBe(true);
    expect(await upstreamBatches.live(id)).toEqual([{ ...record, batch: id }]);
    expect(await upstreamBatches.change(ref, record.id, { remoteId: "r" })).toBe(true);
    const next = await claim("other", NOW + LEASE);
    expect(await upstreamBatches.open(ref, { ...record, id: randomUUID() })).toBe(false);
    expect(await upstreamBatches.change(ref, record.id, { cancellingAt: NOW })).toBe(false);
    expect(await upstreamBatches.change(next, record.id, { cancellingAt: NOW + 1 })).toBe(true);
    expect(await upstreamBatches.live(id)).toEqual([
      { ...record, batch: id, remoteId: "r", cancellingAt: NOW + 1 },
    ]);
    const end = { endedAt: NOW + 2, outcome: "completed" };
    expect(await upstreamBatches.change(next, record.id, end)).toBe(true);
    expect(await upstreamBatches.change(next, record.id, end)).toBe(false);
    expect(await upstreamBatches.live(id)).toEqual([]);
    await store().batches.release(next, Number.MAX_SAFE_INTEGER);
  });

  it("its lines are held for until it has ended; those without an answer are then run alone", async () => {
    const { caller, id, accountId, ref } = await make(3);
    const upstream = randomUUID();
    const hold = async (number: number, more: { upstream?: string } = {}) => {
      const reservation = makeReservation(caller, COST);
      expect(await store().batchLines.hold(ref, { number, ...more }, reservation)).toMatchObject({
        ok: true,
      });
      return { batch: id, number, generation: reservation.generation.id };
    };
    const [one, two, alone] = [await hold(1, { upstream }), await hold(2, { upstream }), await hold(3)];
    // Before the provider's batch has a record, nobody has its lines.
    expect((await store().batchLines.sent(id)).map(({ number }) => number)).toEqual([1, 2, 3]);
    await store().upstreamBatches.open(ref, { id: upstream, terms: {}, lines: 2, createdAt: NOW });
    expect(await store().batchLines.sent(id)).toEqual([{ ...alone, isReturned: false }]);
    expect(await store().batchLines.sentWith(upstream)).toEqual([
      { number: 1, start: 0, length: 9, generation: one.generation, isEnded: false },
      { number: 2, start: 10, length: 9, generation: two.generation, isEnded: false },
    ]);
    const ending = { status: "succeeded", cost: COST, usage: {} } as const;
    const end = { outcome: "succeeded", status: 200, answer: "{}", ending } as const;
    expect(await store().batchLines.finish({ ...one, accountId }, end)).toBe(true);
    expect(await store().batchLines.finish({ ...one, accountId }, end)).toBe(false);
    expect((await store().batchLines.sentWith(upstream)).map(({ isEnded }) => isEnded)).toEqual([
      true,
      false,
    ]);
    await store().upstreamBatches.change(ref, upstream, { endedAt: NOW, outcome: "expired" });
    const returned = await store().batchLines.sent(id);
    expect(returned).toEqual([
      { ...two, isReturned: true },
      { ...alone, isReturned: false },
    ]);
    for (const { isReturned, ...line } of returned)
      await store().batchLines.giveBack(ref, { ...line, accountId }, isReturned ? {} : undefined);
    expect(await waiting(id)).toMatchObject([
      { number: 2, tries: 0, isDirect: true },
      { number: 3, tries: 1, isDirect: false },
    ]);
    const account = await store().accounts.get(accountId);
    expect([account?.balance, account?.held]).toEqual([1_000_000 - COST, 0]);
    await store().batchLines.sweep(id);
    expect(await store().upstreamBatches.live(id)).toEqual([]);
    // The record stays until its files are gone at the provider.
    expect((await store().upstreamBatches.all(id)).map((one) => one.id)).toEqual([upstream]);
    await store().upstreamBatches.forget(upstream);
    expect(await store().upstreamBatches.all(id)).toEqual([]);
    await store().batches.release(ref, Number.MAX_SAFE_INTEGER);
    expect(await store().money.audit()).toEqual([]);
  });
};
