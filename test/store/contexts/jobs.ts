import type { Asset, Job, JobEnd, NewJob } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import { setting } from "../../system/money/places.ts";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const LEASE = 60_000;
const HOUR = 3_600_000;

export const jobs: Context = (database) => {
  const store = useStore(database);
  /** A kind that no other test of this database claims from. */
  const kinds = ["image"] as const;

  const begin = async (more: Partial<NewJob> = {}, amount = 100, options: { credit?: number } = {}) => {
    const caller = await makeCaller(store(), options);
    const reservation = makeReservation(caller, amount, { exact: true });
    const { id } = reservation.generation;
    const job: NewJob = {
      id,
      kind: "image",
      ...caller,
      model: "swift-1",
      at: NOW,
      deadline: NOW + HOUR,
      ...more,
    };
    const reserved = await store().jobs.create(job, { reservation });
    return { caller, id, reserved, job, reservation, read: () => store().jobs.get({ id, ...caller }) };
  };
  const claim = (owner: string, now = NOW, most = 100): Promise<Job[]> =>
    store().jobs.claim(owner, { now, until: now + LEASE, most, kinds });
  /** Takes up everything, so that a test begins with nothing that is due. */
  const clear = async () => {
    for (const { id, attempt } of await claim("broom", NOW + 10 * HOUR, 10_000))
      await store().jobs.finish({ id, owner: "broom", attempt }, { at: NOW, state: "failed" });
  };
  const take = async (owner: string, id: string, now?: number) => {
    const job = (await claim(owner, now)).find((one) => one.id === id);
    return job && { id, owner, attempt: job.attempt };
  };
  const done: JobEnd = { at: NOW + 5, state: "succeeded", result: { a: 1 }, ending: { cost: 40, usage: {} } };

  it("a job begins with its hold and its record, and is read as it was written", async () => {
    await clear();
    const more = {
      entry: { provider: "p", name: "n", wire: "w" },
      price: { images: 1 },
      estimate: { images: 2 },
      ask: { prompt: "a 🐢" },
      shown: { content: [1] },
    };
    const { caller, id, reserved, job, read } = await begin(more);
    expect(reserved).toEqual({ ok: true });
    const { at, ...kept } = job;
    expect(await read()).toEqual({
      ...kept,
      phase: "unsent",
      state: "queued",
      orphan: false,
      attempt: 0,
      tries: 0,
      polls: 0,
      nextAt: at,
      createdAt: at,
      updatedAt: at,
    });
    expect((await store().accounts.get(caller.accountId))?.held).toBe(100);
    expect(await store().generations.get({ id, ...caller })).toMatchObject({ status: "pending" });
    expect(await store().money.audit()).toEqual([]);
  });

  it("a job does not end where its generation cannot end with it", async () => {
    await clear();
    const { id, read } = await begin();
    const ref = (await take("worker", id))!;
    const set = (status: string) =>
      database().execute(`UPDATE generations SET status = '${status}' WHERE id = '${id}'`);
    await set("failed");
    await expect(store().jobs.finish(ref, done)).rejects.toThrow("is not pending");
    expect(await read()).toMatchObject({ state: "queued" });
    await set("pending");
    expect(await store().jobs.finish(ref, done)).toBe(true);
    expect(await store().money.audit()).toEqual([]);
  });

  it("a job leaves no trace where credit is refused, and is one job where it is created twice", async () => {
    const refused = await begin({}, 100, { credit: 99 });
    expect(refused.reserved).toMatchObject({ ok: false, reason: "balance" });
    expect(await refused.read()).toBeUndefined();
    const { caller, job, reservation } = await begin();
    expect(await store().jobs.create(job, { reservation })).toEqual({ ok: true });
    expect((await store().accounts.get(caller.accountId))?.held).toBe(100);
  });

  it("a job is claimed by one of many workers of several processes", async () => {
    await clear();
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await begin()).id));
    const other = await database().open();
    const claimed = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        [store(), other][i % 2]!.jobs.claim(`worker-${i}`, { now: NOW, until: NOW + LEASE, most: 3, kinds }),
      ),
    );
    await other.close();
    const taken = claimed.flat().map(({ id }) => id);
    expect(new Set(taken).size).toBe(taken.length);
    const rest = (await claim("last")).map(({ id }) => id);
    expect([...taken, ...rest].sort()).toEqual([...ids].sort());
    for (const some of claimed) expect(some.length).toBeLessThanOrEqual(3);
  });

  it("a job is claimed again when its lease has run out, and its first worker can no longer write", async () => {
    await clear();
    const { id, read } = await begin();
    const slow = (await take("slow", id))!;
    expect(await take("other", id, NOW + LEASE - 1)).toBeUndefined();
    expect(await store().jobs.renew(slow, NOW + 2 * LEASE)).toBe(true);
    expect(await take("other", id, NOW + LEASE)).toBeUndefined();
    const next = (await take("other", id, NOW + 2 * LEASE))!;
    expect(await store().jobs.renew(slow, NOW + 9 * LEASE)).toBe(false);
    expect(await store().jobs.note(slow, { at: NOW, upstreamId: "wrong" })).toBe(false);
    expect(await store().jobs.finish(slow, done)).toBe(false);
    expect(await read()).toMatchObject({ state: "queued", attempt: 2 });
    expect(await store().jobs.finish(next, done)).toBe(true);
  });

  it("a job keeps its notes, is due when it said, and is found by its provider's id", async () => {
    await clear();
    const { id, caller, read } = await begin();
    const ref = (await take("one", id))!;
    const note = { phase: "accepted", upstreamId: `up-${id}`, state: "running", polls: 2, tries: 1 } as const;
    expect(await store().jobs.note(ref, { at: NOW + 1, ...note, nextAt: NOW + 500 })).toBe(true);
    expect(await read()).toMatchObject({ ...note, nextAt: NOW + 500, updatedAt: NOW + 1 });
    expect(await store().jobs.nextDue(kinds)).toBe(NOW + 500);
    expect(await claim("two", NOW + 499)).toEqual([]);
    expect((await take("two", id, NOW + 500))?.attempt).toBe(2);
    expect(await store().jobs.nextDue(kinds)).toBe(NOW + 500 + LEASE);
    expect(await store().jobs.nextDue(["speech"])).toBeUndefined();
    expect((await store().jobs.get({ id: `up-${id}`, accountId: caller.accountId }))?.id).toBe(id);
    const stranger = await makeCaller(store());
    for (const name of [id, `up-${id}`])
      expect(await store().jobs.get({ id: name, accountId: stranger.accountId })).toBeUndefined();
  });

  it("a job ends once, with its charge, record and assets", async () => {
    await clear();
    const { id, caller, read } = await begin();
    const ref = (await take("one", id))!;
    const asset: Asset = {
      id: `${id}-0`,
      accountId: caller.accountId,
      kind: "output",
      type: "Image",
      state: "active",
      key: "a/b",
      mediaType: "image/png",
      size: 7,
      jobId: id,
      createdAt: NOW,
      updatedAt: NOW,
    };
    const ends = await Promise.all(
      [1, 2, 3].map(() => store().jobs.finish(ref, { ...done, assets: [asset] })),
    );
    expect(ends.filter(Boolean)).toHaveLength(1);
    expect(await read()).toMatchObject({ state: "succeeded", result: { a: 1 }, endedAt: NOW + 5 });
    expect(await store().accounts.get(caller.accountId)).toMatchObject({ balance: 999_960, held: 0 });
    expect(await store().generations.get({ id, ...caller })).toMatchObject({ status: "succeeded", cost: 40 });
    expect(await store().assets.get({ id: asset.id, accountId: caller.accountId })).toEqual(asset);
    const stranger = await makeCaller(store());
    expect(await store().assets.get({ id: asset.id, accountId: stranger.accountId })).toBeUndefined();
    const { expired, expireAll } = store().assets;
    expect(await expired([asset.id, "none"])).toEqual(new Set());
    await expireAll([asset.id], { accountId: caller.accountId, at: NOW + HOUR });
    expect(await expired([asset.id, "none"])).toEqual(new Set([asset.id]));
    expect(await expired([])).toEqual(new Set());
    expect(await claim("two", NOW + HOUR)).toEqual([]);
    expect(await store().money.audit()).toEqual([]);
  });

  it("a job that failed gives everything back, and says whether it may be an orphan", async () => {
    await clear();
    const { id, caller, read } = await begin();
    const ref = (await take("one", id))!;
    const error = { kind: "unavailable", message: "no", code: "X", status: 500 };
    await store().jobs.finish(ref, { at: NOW, state: "failed", error, orphan: true, ending: { cost: 0 } });
    expect(await read()).toMatchObject({ state: "failed", error, orphan: true });
    expect(await store().accounts.get(caller.accountId)).toMatchObject({ balance: 1_000_000, held: 0 });
    const orphans = await store().jobs.orphans({ offset: 0, limit: 100 });
    expect(orphans.map((one) => one.id)).toContain(id);
  });

  it("an account's own jobs are listed newest first, by kind and by whether they are live", async () => {
    await clear();
    const { id, caller } = await begin();
    const ids = [id];
    for (const [kind, at] of [
      ["speech", 1],
      ["image", 2],
    ] as const) {
      const reservation = makeReservation(caller, 1);
      const job = {
        id: reservation.generation.id,
        kind,
        ...caller,
        model: "m",
        at: NOW + at,
        deadline: NOW + HOUR,
      };
      await store().jobs.create(job, { reservation });
      ids.unshift(job.id);
    }
    await store().jobs.finish((await take("one", id))!, done);
    const list = async (filter: object) => {
      const page = await store().jobs.list({ ...caller, ...filter }, { offset: 0, limit: 10 });
      expect(page.total).toBe(page.results.length);
      return page.results.map((one) => one.id);
    };
    expect(await list({})).toEqual(ids);
    expect(await list({ live: true })).toEqual(ids.slice(0, 2));
    expect(await list({ live: false })).toEqual([id]);
    expect(await list({ kinds: ["image"] })).toEqual([ids[0], id]);
    expect(await list({ keyId: "another" })).toEqual([]);
    const read = (id: string) => store().jobs.get({ id, ...caller });
    const pages: string[] = [];
    for (let after: Job | undefined; ; ) {
      const page = await store().jobs.list({ ...caller, ...(after && { after }) }, { offset: 0, limit: 1 });
      expect(page.total).toBe(ids.length - pages.length);
      if (page.results.length === 0) break;
      pages.push(...page.results.map((one) => one.id));
      after = await read(pages.at(-1)!);
    }
    expect(pages).toEqual(ids);
    const second = await store().jobs.list(caller, { offset: 1, limit: 1 });
    expect([second.results[0]?.id, second.total]).toEqual([ids[1], 3]);
    const { id: foreign, caller: other } = await begin();
    const newest = async (filter: object) => (await store().jobs.newest(filter, 999)).map((one) => one.id);
    expect(await newest({ from: NOW })).toEqual(expect.arrayContaining([...ids, foreign]));
    expect(await newest({ accountId: other.accountId })).toEqual([foreign]);
    expect(await newest({ keyId: ["another", caller.keyId], from: NOW + 1, to: NOW + 2 })).toEqual([ids[1]]);
    expect((await store().jobs.find(foreign))?.accountId).toBe(other.accountId);
    const speech = { now: NOW + HOUR, until: NOW + 2 * HOUR, most: 9, kinds: ["speech" as const] };
    for (const { id: name, attempt } of await store().jobs.claim("s", speech))
      await store().jobs.finish({ id: name, owner: "s", attempt }, { at: NOW, state: "cancelled" });
  });

  it("ended jobs are listed by their attachment until it is deleted", async () => {
    await clear();
    const { id } = await begin({ attachment: "asks/x" });
    const left = async () => (await store().jobs.attached(100)).filter((one) => one.id === id);
    expect(await left()).toEqual([]);
    await store().jobs.finish((await take("one", id))!, done);
    expect(await left()).toEqual([{ id, attachment: "asks/x" }]);
    await store().jobs.detach(id);
    expect(await left()).toEqual([]);
  });

  it("the audit finds a job whose hold or end is missing", async () => {
    await clear();
    const { id } = await begin();
    const findings = async () => (await store().money.audit()).filter((one) => one.subject === id);
    await database().execute(`UPDATE jobs SET ended_at = 1, state = 'failed' WHERE id = '${id}'`);
    expect(await findings()).toHaveLength(2);
    await database().execute(`UPDATE jobs SET id = 'gone-${id}' WHERE id = '${id}'`);
    expect(await findings()).toHaveLength(1);
    await database().execute(
      `UPDATE jobs SET id = '${id}', ended_at = NULL, state = 'queued' WHERE id = 'gone-${id}'`,
    );
    expect(await findings()).toEqual([]);
  });

  it("a job ends once in any order of claims, ends and clocks", async () => {
    const Step = fc.record({
      owner: fc.constantFrom("a", "b"),
      does: fc.constantFrom("claim", "renew", "finish", "fail", "note"),
      later: fc.constantFrom(0, 1, LEASE / 2, LEASE),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { maxLength: 14 }), async (steps) => {
        await clear();
        const { id, caller, read } = await begin();
        const held = new Map<string, { id: string; owner: string; attempt: number }>();
        let [now, ends] = [NOW, 0];
        let holder: { owner: string; until: number } | undefined;
        for (const { owner, does, later } of steps) {
          now += later;
          const ref = held.get(owner) ?? { id, owner, attempt: 0 };
          const has = ends === 0 && holder?.owner === owner;
          if (does === "claim") {
            const free = ends === 0 && (holder === undefined || holder.until <= now);
            const taken = await take(owner, id, now);
            expect(taken !== undefined).toBe(free);
            if (!taken) continue;
            held.set(owner, taken);
            holder = { owner, until: now + LEASE };
          } else if (does === "renew") {
            expect(await store().jobs.renew(ref, now + LEASE)).toBe(has);
            if (has) holder = { owner, until: now + LEASE };
          } else if (does === "note") {
            expect(await store().jobs.note(ref, { at: now, nextAt: now })).toBe(has);
            if (has) holder = { owner, until: 0 };
          } else {
            const end = does === "finish" ? done : ({ at: now, state: "failed" } as const);
            expect(await store().jobs.finish(ref, end)).toBe(has);
            if (has) ends += 1;
          }
        }
        const balance = (await store().accounts.get(caller.accountId))!;
        const state = (await read())!.state;
        expect(balance.held).toBe(ends === 0 ? 100 : 0);
        expect(balance.balance).toBe(state === "succeeded" ? 999_960 : 1_000_000);
      }),
      { numRuns: setting("HISTORIES", 3) },
    );
  });
};
