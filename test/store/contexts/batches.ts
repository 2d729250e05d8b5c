import { randomUUID } from "node:crypto";
import type {
  Batch,
  BatchFilter,
  BatchRef,
  EndedPage,
  NewBatch,
  NewLine,
  StoredFile,
} from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const LEASE = 60_000;
const HOUR = 3_600_000;
const COST = 7;
/** All lines of a small batch that have ended. */
const ALL: EndedPage = {
  after: 0,
  outcomes: ["succeeded", "errored", "cancelled", "expired"],
  most: 9,
  bytes: Number.MAX_SAFE_INTEGER,
};

export const batches: Context = (database) => {
  const store = useStore(database);

  const makeFile = async (accountId: string, more: Partial<StoredFile> = {}, most = 1e9) => {
    const id = `file-${randomUUID()}`;
    const file = {
      id,
      accountId,
      purpose: "batch",
      name: "a.jsonl",
      bytes: 10,
      key: `k/${id}`,
      createdAt: NOW,
    };
    const all = { ...file, ...more };
    return { ...all, isAdded: await store().files.add(all, most) };
  };
  const make = async (more: Partial<NewBatch> = {}, most = 100) => {
    const caller = await makeCaller(store());
    const { id: input } = await makeFile(caller.accountId);
    const batch: NewBatch = {
      ...{ id: `batch_${randomUUID()}`, ...caller, surface: "chatstyle", endpoint: "/v1/x", input },
      ...{ terms: { a: [1] }, createdAt: NOW, expiresAt: NOW + HOUR, ...more },
    };
    const created = await store().batches.create(batch, { most });
    return { caller, batch, created, read: () => store().batches.get({ id: batch.id, ...caller }) };
  };
  const claim = async (id: string, owner: string, now = NOW): Promise<BatchRef | undefined> => {
    const all = await store().batches.claim(owner, { now, until: now + LEASE, most: 1_000 });
    const claimed = all.find((one) => one.id === id);
    return claimed && { id, owner, attempt: claimed.attempt };
  };
  const linesOf = (count: number): NewLine[] =>
    Array.from({ length: count }, (_, at) => ({ number: at + 1, start: at, length: 1, customId: `c${at}` }));

  it("a batch is read as it was written, by its account alone, and counts against its account", async () => {
    const { caller, batch, created, read } = await make();
    expect(created).toBe("created");
    expect(await read()).toEqual({ ...batch, phase: "reading", total: 0, attempt: 0 });
    const other = await makeCaller(store());
    expect(await store().batches.get({ id: batch.id, accountId: other.accountId })).toBeUndefined();
    const again = { ...batch, id: `batch_${randomUUID()}` };
    expect(await store().batches.create(again, { most: 1 })).toBe("busy");
    expect(await store().batches.create({ ...again, ...other }, { most: 1 })).toBe("missing");
    const both = [0, 1].map(() =>
      store().batches.create({ ...batch, id: `batch_${randomUUID()}` }, { most: 2 }),
    );
    expect((await Promise.all(both)).sort()).toEqual(["busy", "created"]);
    expect(await store().files.remove({ id: batch.input, accountId: caller.accountId })).toBe("in use");
  });

  it("batches are listed newest first, between two others", async () => {
    const { caller, batch } = await make();
    const ids = [batch.id];
    for (let n = 1; n < 5; n++) {
      // Two of one moment are in the order of their ids.
      const next = { ...batch, id: `batch_${n}${randomUUID()}`, createdAt: NOW + Math.min(n, 3) };
      await store().batches.create(next, { most: 100 });
      ids.unshift(next.id);
    }
    const filter = { accountId: caller.accountId, surface: "chatstyle" };
    const list = async (page: Parameters<ReturnType<typeof store>["batches"]["list"]>[1]) =>
      (await store().batches.list(filter, page)).map(({ id }) => id);
    const at = async (n: number) => (await store().batches.get({ id: ids[n]!, ...caller })) as Batch;
    expect(await list({ limit: 9 })).toEqual(ids);
    expect(await list({ limit: 2, after: await at(1) })).toEqual(ids.slice(2, 4));
    expect(await list({ limit: 2, before: await at(3) })).toEqual(ids.slice(1, 3));
    expect(await store().batches.list({ ...filter, surface: "other" }, { limit: 9 })).toEqual([]);
  });

  it("batches of all accounts are listed by account, key, state and time", async () => {
    // Later than those of other tests of this database.
    const from = NOW + 365 * 24 * HOUR;
    const made = [];
    for (const createdAt of [from, from + 1, from + 2]) made.push(await make({ createdAt }));
    const [one, two, three] = made.map(({ batch }) => batch) as [NewBatch, NewBatch, NewBatch];
    const list = async (filter: BatchFilter) =>
      (await store().batches.list({ from, ...filter }, { limit: 9 })).map(({ id }) => id);
    expect(await list({})).toEqual([three.id, two.id, one.id]);
    expect(await list({ from: from + 1, to: from + 2 })).toEqual([two.id]);
    expect(await list({ accountId: two.accountId })).toEqual([two.id]);
    expect(await list({ keyId: [one.keyId, three.keyId], surface: "chatstyle" })).toEqual([three.id, one.id]);
    await store().batches.cancel(one, from);
    const ref = (await claim(two.id, "worker", from + HOUR))!;
    const end = { outcome: "failed", counts: await store().batchLines.counts(two.id) } as const;
    await store().batches.end(ref, { ...end, at: from });
    const states = { cancelling: one, failed: two, reading: three } as const;
    for (const [state, batch] of Object.entries(states))
      expect(await list({ state: state as keyof typeof states })).toEqual([batch.id]);
    expect(await list({ state: ["cancelling", "reading"] })).toEqual([three.id, one.id]);
    expect(await list({ state: "running" })).toEqual([]);
    expect(await store().batches.find(two.id)).toMatchObject({ id: two.id, accountId: two.accountId });
    expect(await store().batches.find("none")).toBeUndefined();
    for (const { batch } of made) {
      const last = (await claim(batch.id, "last", from + 2 * HOUR))!;
      await store().batches.release(last, Number.MAX_SAFE_INTEGER);
    }
  });

  it("one of several workers has a batch, and one that lost it writes nothing", async () => {
    const { batch, read } = await make();
    const claims = await Promise.all(["a", "b", "c"].map((owner) => claim(batch.id, owner)));
    const [lost, ...others] = claims.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(await store().batchLines.add(lost!, linesOf(3))).toBe(true);
    const next = (await claim(batch.id, "d", NOW + LEASE))!;
    expect(next.attempt).toBe(lost!.attempt + 1);
    const reservation = makeReservation(batch, COST);
    expect(await store().batchLines.hold(lost!, { number: 1 }, reservation)).toEqual({
      ok: false,
      reason: "lost",
    });
    expect(await store().batchLines.add(lost!, linesOf(9))).toBe(false);
    expect(await store().batchLines.refuse(lost!, { number: 1, answer: "{}" })).toBe(false);
    // What it reads as begun is the other worker's.
    expect(await store().batchLines.hold(next, { number: 1 }, reservation)).toMatchObject({ ok: true });
    const [sent] = await store().batchLines.sent(batch.id);
    const line = { ...sent!, accountId: batch.accountId };
    expect(await store().batchLines.giveBack(lost!, line)).toBe(false);
    const counted = { succeeded: 0, errored: 0, cancelled: 0, expired: 0, waiting: 2, sent: 1 };
    expect(await store().batchLines.counts(batch.id)).toEqual(counted);
    expect(await store().batchLines.countsOf(["none", batch.id])).toEqual([
      ...[{ ...counted, waiting: 0, sent: 0 }, counted],
    ]);
    expect(await store().batchLines.countsOf([])).toEqual([]);
    expect(await store().batchLines.giveBack(next, line)).toBe(true);
    expect(await store().batchLines.interrupted(batch.id, 1)).toEqual([{ number: 1 }]);
    expect(await store().batchLines.drop(lost!, "cancelled", 9)).toBe(0);
    expect(await store().batches.renew(lost!, NOW + HOUR)).toBeUndefined();
    expect(await store().batches.enter(lost!, "running", NOW, 3)).toBeUndefined();
    expect(await store().batches.release(lost!, NOW)).toBe(false);
    expect(await store().batches.finish(lost!)).toBe(false);
    const { waiting, ...rest } = await store().batchLines.counts(batch.id);
    expect([waiting, Object.values(rest)]).toEqual([3, [0, 0, 0, 0, 0]]);
    expect((await read())?.phase).toBe("reading");
    expect(await store().batches.release(next, NOW)).toBe(true);
  });

  it("whatever workers do in whatever order, a line is charged once or not at all, with its answer", async () => {
    const act = fc.record({
      what: fc.constantFrom("hold", "fallback", "finish", "give back", "refuse", "take over", "cancel"),
      line: fc.integer({ min: 1, max: 3 }),
      cost: fc.constantFrom(0, COST),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 30 }), async (acts) => {
        const { caller, batch } = await make();
        let ref = (await claim(batch.id, "worker"))!;
        await store().batchLines.add(ref, linesOf(3));
        /** The generations of each line in their order, as one worker after another knows them. */
        const begun = new Map<number, string[]>();
        const due = new Map<number, number>();
        let now = NOW;
        const sent = (number: number) => {
          const ids = begun.get(number) ?? [];
          return ids.map((generation) => ({
            batch: batch.id,
            number,
            generation,
            accountId: batch.accountId,
          }));
        };
        for (const { what, line: number, cost } of acts) {
          const last = begun.get(number)?.at(-1);
          if (what === "hold" || (what === "fallback" && last !== undefined)) {
            const reservation = makeReservation(caller, COST);
            const { id } = reservation.generation;
            const instead = what === "fallback" ? last : undefined;
            if (instead !== undefined) await store().money.settle({ id: instead, status: "failed", cost: 0 });
            const line = { number, ...(instead !== undefined && { instead }) };
            const held = await store().batchLines.hold(ref, line, reservation);
            if (held.ok) begun.set(number, [...(begun.get(number) ?? []), id]);
          }
          // Also by workers that lost the line to another one.
          if (what === "finish")
            for (const one of sent(number)) {
              const ending = { status: "succeeded", cost, usage: {} } as const;
              const end = {
                outcome: "succeeded",
                status: 200,
                answer: `"${one.generation}"`,
                ending,
              } as const;
              const isEnded = await store()
                .batchLines.finish(one, end)
                .catch(() => false);
              if (!isEnded) continue;
              expect(due.has(number)).toBe(false);
              due.set(number, cost);
            }
          if (what === "give back")
            for (const one of sent(number)) await store().batchLines.giveBack(ref, one, {});
          if (what === "refuse" && (await store().batchLines.refuse(ref, { number, answer: "{}" })))
            due.set(number, 0);
          if (what === "cancel") await store().batches.cancel({ id: batch.id, ...caller }, NOW);
          if (what === "take over") {
            now += LEASE;
            ref = (await claim(batch.id, `worker at ${now}`, now))!;
            for (const one of await store().batchLines.sent(batch.id))
              await store().batchLines.giveBack(ref, { ...one, accountId: batch.accountId }, {});
          }
        }
        for (const one of await store().batchLines.sent(batch.id))
          await store().batchLines.giveBack(ref, { ...one, accountId: batch.accountId }, {});
        const charged = [...due.values()].reduce((sum, cost) => sum + cost, 0);
        const account = await store().accounts.get(batch.accountId);
        expect([account?.balance, account?.held]).toEqual([1_000_000 - charged, 0]);
        const ended = await store().batchLines.ended(batch.id, ALL);
        expect(ended.map(({ number }) => number)).toEqual([...due.keys()].sort());
        for (const { answer, outcome } of ended.filter(({ status }) => status !== undefined)) {
          const id = JSON.parse(answer!) as string;
          const record = await store().generations.get({ id, accountId: batch.accountId });
          expect([outcome, record?.cost ?? 0]).toEqual([
            "succeeded",
            due.get(ended.find((one) => one.answer === answer)!.number),
          ]);
        }
        await store().batches.release(ref, Number.MAX_SAFE_INTEGER);
      }),
      { numRuns: 12 },
    );
    expect(await store().money.audit()).toEqual([]);
  });

  it("ended lines are read by their outcome, and no more of them than fit", async () => {
    const { batch } = await make();
    const ref = (await claim(batch.id, "worker"))!;
    const lines = linesOf(6).map((line) => ({ ...line, answer: `"${"é".repeat(10)}"` }));
    await store().batchLines.add(ref, [...lines.slice(0, 5), linesOf(6)[5]!]);
    await store().batchLines.drop(ref, "expired", 9);
    const read = async (page: Partial<EndedPage>) =>
      (await store().batchLines.ended(batch.id, { ...ALL, ...page })).map(({ number }) => number);
    expect(await read({})).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await read({ outcomes: ["expired"] })).toEqual([6]);
    expect(await read({ after: 1, outcomes: ["errored"], most: 3 })).toEqual([2, 3, 4]);
    // Each answer has 22 bytes.
    expect(await read({ bytes: 23 })).toEqual([1, 2]);
    expect(await read({ bytes: 22 })).toEqual([1]);
    expect(await read({ after: 5, bytes: 1 })).toEqual([6]);
    expect(await read({ after: 6 })).toEqual([]);
  });

  it("a batch comes to its end with its files, and is removed with them", async () => {
    const { caller, batch, read } = await make();
    const ref = (await claim(batch.id, "worker"))!;
    const [first, ...rest] = linesOf(4);
    await store().batchLines.add(ref, [{ ...first!, answer: '{"code":"a"}' }, ...rest]);
    // Read anew by another worker: what is there stays.
    await store().batchLines.add(ref, linesOf(4));
    expect(await store().batches.enter(ref, "running", NOW + 1, 4)).toMatchObject({
      phase: "running",
      total: 4,
    });
    expect(
      (await store().batchLines.waiting(batch.id, { after: 0, most: 2 })).map(({ number }) => number),
    ).toEqual([2, 3]);
    const cancelled = await store().batches.cancel({ id: batch.id, ...caller }, NOW + 2);
    expect(cancelled?.cancellingAt).toBe(NOW + 2);
    expect(await store().batchLines.hold(ref, { number: 2 }, makeReservation(caller, COST))).toMatchObject({
      reason: "lost",
    });
    expect(await store().batchLines.drop(ref, "cancelled", 2)).toBe(2);
    expect(await store().batchLines.drop(ref, "cancelled", 2)).toBe(1);
    const counts = await store().batchLines.counts(batch.id);
    expect(counts).toMatchObject({ waiting: 0, sent: 0, errored: 1, cancelled: 3 });
    await store().batches.enter(ref, "writing", NOW + 3);
    const id = `file-${randomUUID()}`;
    const errors = {
      id,
      ...caller,
      purpose: "batch_output",
      name: "e",
      bytes: 1,
      key: `k/${id}`,
      createdAt: NOW,
    };
    expect(await store().batches.end(ref, { at: NOW + 4, outcome: "cancelled", counts, errors })).toBe(true);
    expect(await store().batches.end(ref, { at: NOW + 5, outcome: "completed", counts })).toBe(false);
    expect(await read()).toMatchObject({ outcome: "cancelled", counts, errors: id, endedAt: NOW + 4 });
    expect(await store().batches.remove({ id: batch.id, ...caller })).toBe(false);
    await store().batchLines.sweep(batch.id);
    expect(await store().batches.finish(ref)).toBe(true);
    expect(await store().batchLines.ended(batch.id, ALL)).toEqual([]);
    expect(await claim(batch.id, "other", NOW + 9 * HOUR)).toBeUndefined();
    const removed = await store().batches.remove({ id: batch.id, ...caller });
    expect((removed || { files: [] }).files.map((file) => file.id).sort()).toEqual([batch.input, id].sort());
    expect(await read()).toBeUndefined();
    expect(await store().files.get({ id, accountId: caller.accountId })).toBeUndefined();
  });

  it("files of an account have a limit, also of files that come at once; they expire, but for those in use", async () => {
    const { caller, batch } = await make();
    const { accountId } = caller;
    const added = await Promise.all(
      [0, 1, 2].map((n) => makeFile(accountId, { createdAt: NOW + 1 + n }, 30)),
    );
    expect(added.map(({ isAdded }) => isAdded).sort()).toEqual([false, true, true]);
    const filter = { accountId, purposes: ["batch"], now: NOW };
    const list = async (order: "asc" | "desc", limit: number, after?: StoredFile) =>
      (await store().files.list(filter, { order, limit, after })).map(({ id }) => id);
    const inOrder = [batch.input, ...added.filter(({ isAdded }) => isAdded).map(({ id }) => id)];
    expect(await list("asc", 9)).toEqual(inOrder);
    const middle = await store().files.get({ id: inOrder[1]!, accountId });
    expect(await list("desc", 9, middle)).toEqual([inOrder[0]]);
    expect(await list("asc", 1, middle)).toEqual([inOrder[2]]);
    expect(await store().files.list({ ...filter, purposes: ["other"] }, { order: "asc", limit: 9 })).toEqual(
      [],
    );

    const old = await makeFile(accountId, { expiresAt: NOW + 1 });
    await database().execute(`UPDATE files SET expires_at = ${NOW + 1} WHERE id = '${batch.input}'`);
    const expired = await store().files.expired({ now: NOW + 1, most: 100 });
    expect(expired.filter((file) => file.accountId === accountId).map(({ id }) => id)).toEqual([old.id]);
    expect(await store().files.withKeys([old.key, "k/none"])).toEqual([old.key]);
    const late = { ...batch, id: `batch_${randomUUID()}` };
    for (const input of [old, await makeFile(accountId, { expiresAt: NOW + 30_000 })])
      expect(await store().batches.create({ ...late, input: input.id }, { most: 9 })).toBe("missing");
    await store().files.forget([old.id, batch.input]);
    expect(await store().files.get({ id: old.id, accountId })).toBeUndefined();
    expect(await store().files.get({ id: batch.input, accountId })).toMatchObject({ id: batch.input });
    expect(await store().files.remove({ id: inOrder[1]!, accountId: "stranger" })).toBeUndefined();
    expect(await store().files.remove({ id: inOrder[1]!, accountId })).toBe("removed");
  });
};
