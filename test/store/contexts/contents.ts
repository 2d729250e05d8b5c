import { randomUUID } from "node:crypto";
import type { RecordOptions, Store } from "@manifold-gateway/store";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";

const DAY = 24 * 3_600_000;
const QUOTA = 80_000;

export const contents: Context = (database) => {
  let store: Store | undefined;
  afterEach(() => store?.close());
  const open = async (records: Partial<RecordOptions>): Promise<Store> => {
    store = await database().open({ records });
    return store;
  };

  /** A generation that ended with a cost; its request is a text of so many bytes. */
  async function ask(of: Store, accountId: string, { age = 0, bytes = 100, id = randomUUID() } = {}) {
    const { generation, ...rest } = makeReservation({ accountId }, 5, { at: NOW - age });
    const request = `{"model":"m","prompt":"${"p".repeat(bytes - 25)}"}`;
    await of.money.reserve({ ...rest, generation: { ...generation, id, request } });
    await of.money.settle({ id, accountId, cost: 3, status: "succeeded" });
    return { id, age, bytes };
  }
  const isKept = async (of: Store, accountId: string, id: string) =>
    (await of.generations.get({ id, accountId }))?.request !== undefined;
  const bytesOf = async (accountId: string) => {
    const sums = ["contents_kept", "contents"].map(async (table) => {
      const rows = await database().execute(`SELECT bytes FROM ${table} WHERE account = '${accountId}'`);
      return rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
    });
    const [said, there] = await Promise.all(sums);
    return { said, there };
  };
  const kept = async (of: Store, accountId: string, made: readonly { id: string }[]) => {
    const flags = await Promise.all(made.map(({ id }) => isKept(of, accountId, id)));
    return flags.flatMap((is, at) => (is ? [at] : []));
  };

  it("the sweep deletes exactly the days that have expired, and leaves records, balances and sums as they were", async () => {
    const one = await open({ days: 30 });
    const run = fc.array(fc.record({ age: fc.integer({ min: 0, max: 60 * DAY }), who: fc.nat(2) }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(run, async (asked) => {
        const callers = await Promise.all([0, 1, 2].map(() => makeCaller(one)));
        const made: { accountId: string; id: string; age: number }[] = [];
        for (const { age, who } of asked) {
          const { accountId } = callers[who]!;
          made.push({ accountId, ...(await ask(one, accountId, { age })) });
        }
        const books = async () => ({
          accounts: await Promise.all(callers.map(({ accountId }) => one.accounts.get(accountId))),
          records: await Promise.all(
            made.map(async (ref) => ({ ...(await one.generations.get(ref)), request: undefined })),
          ),
          differences: await one.money.audit(),
        });
        const before = await books();
        // The clock is at noon: the day on which the retention ends stays.
        const old = made.filter(({ age }) => age > 30.5 * DAY);
        const freed = await one.contents.sweep(NOW);
        expect(freed > 0).toBe(old.length > 0);
        for (const ref of made)
          expect(await isKept(one, ref.accountId, ref.id), String(ref.age)).toBe(!old.includes(ref));
        expect(await books()).toEqual(before);
        expect(before.differences).toEqual([]);
        for (const { accountId } of callers) {
          const { said, there } = await bytesOf(accountId);
          expect(said).toBe(there);
        }
      }),
      { numRuns: 3 },
    );
  });

  it("the sweep deletes more than one step takes, and continues where it was stopped", async () => {
    const one = await open({ days: 1 });
    const { accountId } = await makeCaller(one);
    const made = [];
    // Each is two seconds after the one before: no two are stored together.
    for (let n = 0; n < 60; n++) made.push(await ask(one, accountId, { age: 3 * DAY - 2_000 * n }));
    const fresh = await ask(one, accountId);
    const stopped = new AbortController();
    const first = one.contents.sweep(NOW, stopped.signal);
    stopped.abort();
    await first;
    expect((await kept(one, accountId, made)).length).toBeGreaterThan(0);
    await one.contents.sweep(NOW);
    expect(await kept(one, accountId, made)).toEqual([]);
    expect(await isKept(one, accountId, fresh.id)).toBe(true);
    const { said, there } = await bytesOf(accountId);
    expect(said).toBe(there);
    expect(await one.contents.sweep(NOW)).toBe(0);
  });

  it("an account that exceeds its share of the quota loses its oldest contents, and never the newest", async () => {
    const one = await open({ quota: QUOTA });
    const other = await database().open({ records: { quota: QUOTA } });
    const [{ accountId }, someone] = [await makeCaller(one), await makeCaller(one)];
    const theirs = await ask(one, someone.accountId, { bytes: 10_000 });
    const made = [];
    for (let n = 0; n < 20; n++) {
      const by = n % 2 ? one : other;
      made.push(await ask(by, accountId, { age: DAY - 2_000 * n, bytes: 10_000 }));
      await by.contents.sweep(NOW);
      const { said, there } = await bytesOf(accountId);
      expect(said).toBe(there);
      expect(said).toBeLessThanOrEqual((QUOTA * 7) / 8);
    }
    expect(await kept(one, accountId, made)).toEqual([14, 15, 16, 17, 18, 19]);
    expect(await isKept(one, someone.accountId, theirs.id)).toBe(true);
    expect(await one.money.audit()).toEqual([]);
    await other.close();
  });

  it("repeatable answers have the rest of the quota, and are not kept where there is no room", async () => {
    const one = await open({ quota: QUOTA });
    const { accountId } = await makeCaller(one);
    const end = async (name: string, bytes: number) => {
      const ref = { accountId, route: "/r", name };
      await one.repeats.begin({ ...ref, bodyHash: "h", generationId: name, at: NOW });
      const answer = { status: 200, headers: {}, body: "a".repeat(bytes) };
      await one.repeats.end({ ...ref, generationId: name, answer });
      await one.repeats.end({ ...ref, generationId: name, answer });
      return one.repeats.begin({ ...ref, bodyHash: "h", generationId: "again", at: NOW });
    };
    const made = [];
    for (let n = 0; n < 8; n++) made.push(await ask(one, accountId, { age: DAY - 2_000 * n, bytes: 10_000 }));
    await one.contents.sweep(NOW);
    expect((await end("first", 12_000))?.answer).toBeDefined();
    const second = await end("second", 12_000);
    expect(second).toMatchObject({ state: "done" });
    expect(second).not.toHaveProperty("answer");
    made.push(await ask(one, accountId, { bytes: 10_000 }));
    await one.contents.sweep(NOW);
    expect(await kept(one, accountId, made)).toEqual([4, 5, 6, 7, 8]);
    await one.repeats.expire(NOW + 1);
    expect((await end("third", 12_000))?.answer).toBeDefined();
  });

  it("contents are read as soon as a request is admitted, whole and by any process once they are written", async () => {
    const one = await open({});
    const { accountId } = await makeCaller(one);
    const request = fc.record({
      prompt: fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("p".repeat(30_000))),
      n: fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((n) => JSON.parse(JSON.stringify(n)) as number),
      __proto__: fc.anything().map((any) => JSON.parse(JSON.stringify(any) ?? "null") as unknown),
    });
    const asked = fc.array(fc.record({ request, age: fc.nat(3_000) }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(asked, async (all) => {
        const made = new Map<string, object>();
        for (const { request, age } of all) {
          const { generation, ...rest } = makeReservation({ accountId }, 5, { at: NOW - age });
          await one.money.reserve({ ...rest, generation: { ...generation, request } });
          await one.money.settle({ id: generation.id, accountId, cost: 0, status: "succeeded" });
          expect(await one.generations.get({ id: generation.id, accountId })).toMatchObject({ request });
          made.set(generation.id, request);
        }
        await one.contents.sweep(NOW);
        const other = await database().open();
        const page = { limit: 100, isWithRequest: true };
        const listed = await other.generations.after({ accountId }, page);
        const found = new Map(listed.map(({ id, request }) => [id, request]));
        for (const [id, request] of made) {
          expect((await other.generations.find(id))?.request).toEqual(request);
          if (listed.length < page.limit) expect(found.get(id)).toEqual(request);
        }
        await other.close();
      }),
      { numRuns: 3 },
    );
  });

  it.each([
    ["none", undefined],
    ["metadata", { model: "m", prompt: "75 characters" }],
    ["full", { model: "m", prompt: "p".repeat(75) }],
  ] as const)("a record keeps of a request what the setting says: %s", async (requests, kept) => {
    const one = await open({ requests });
    const { accountId } = await makeCaller(one);
    const { id } = await ask(one, accountId);
    await one.contents.sweep(NOW);
    expect((await one.generations.get({ id, accountId }))?.request).toEqual(kept);
    const { said = 0, there } = await bytesOf(accountId);
    expect(said).toBe(there);
    expect(said > 0).toBe(kept !== undefined);
  });

  it("a record kept as metadata has no text of the conversation", async () => {
    const one = await open({ requests: "metadata" });
    const { accountId } = await makeCaller(one);
    const { generation, ...rest } = makeReservation({ accountId }, 5);
    const secret = "SECRET";
    const request = {
      model: "m1",
      messages: [{ role: "user", content: secret }],
      system: secret,
      metadata: { [secret]: secret },
      [`${secret} and more`]: 1,
      max_tokens: 12,
      stream: true,
      stop: null,
    };
    await one.money.reserve({ ...rest, generation: { ...generation, request } });
    expect((await one.generations.get({ id: generation.id, accountId }))?.request).toEqual({
      ...{ model: "m1", messages: "1 items", system: "6 characters", metadata: "1 members" },
      ...{ max_tokens: 12, stream: true, stop: null },
    });
  });

  /** Stores the request of a generation as earlier versions did. */
  const askEarlier = async (of: Store, accountId: string, { age = 0, isPlaced = true } = {}) => {
    const { generation, ...rest } = makeReservation({ accountId }, 5, { at: NOW - age });
    await of.money.reserve({ ...rest, generation });
    await of.money.settle({ id: generation.id, accountId, cost: 0, status: "succeeded" });
    const place = isPlaced ? `'${accountId}', ${NOW - age}, 100` : "NULL, NULL, NULL";
    await database().execute(
      `INSERT INTO requests (id, content, account, asked_at, bytes)
        VALUES ('${generation.id}', '{"p":"${"p".repeat(92)}"}', ${place})`,
    );
    if (isPlaced)
      await database().execute(`UPDATE accounts SET kept_bytes = kept_bytes + 100 WHERE id = '${accountId}'`);
    return generation;
  };
  const countedOf = async (accountId: string) => {
    const rows = await database().execute(`SELECT kept_bytes FROM accounts WHERE id = '${accountId}'`);
    return Number(rows[0]?.kept_bytes);
  };

  it.each([true, false])(
    "contents of earlier versions are read, and deleted at their age; their account is named: %s",
    async (isPlaced) => {
      const one = await open({ days: 30 });
      const callers = await Promise.all([0, 1, 2].map(() => makeCaller(one)));
      for (const { accountId } of callers) {
        const old = [];
        for (let i = 0; i < 70; i++) old.push(await askEarlier(one, accountId, { age: 31 * DAY, isPlaced }));
        const young = await askEarlier(one, accountId, { isPlaced });
        expect((await one.generations.get(old[0]!))?.request).toEqual({ p: "p".repeat(92) });
        await one.contents.sweep(NOW);
        expect(await kept(one, accountId, old)).toEqual([]);
        expect(await isKept(one, accountId, young.id)).toBe(true);
        expect(await countedOf(accountId)).toBe(100);
      }
    },
  );

  it("contents of earlier versions are counted again where they come close to the quota", async () => {
    const one = await open({ quota: QUOTA });
    const { accountId } = await makeCaller(one);
    const { id } = await askEarlier(one, accountId);
    await database().execute(`UPDATE accounts SET kept_bytes = ${QUOTA} WHERE id = '${accountId}'`);
    await one.contents.sweep(NOW);
    expect(await isKept(one, accountId, id)).toBe(true);
    expect(await countedOf(accountId)).toBe(100);
  });

  it("the sweep hides the content of video tasks that ended as long ago, and of no other job", async () => {
    const one = await open({ days: 30 });
    const { accountId } = await makeCaller(one);
    const make = async (kind: "video" | "speech", endedAt?: number) => {
      const id = randomUUID();
      const { generation, ...rest } = makeReservation({ accountId }, 5);
      const lease = { owner: "worker", until: NOW + DAY };
      const job = { id, kind, accountId, model: "m", at: NOW - 90 * DAY, deadline: NOW, lease };
      const reservation = { ...rest, generation: { ...generation, id } };
      await one.jobs.create({ ...job, shown: { content: [{ type: "text", text: "x" }] } }, { reservation });
      const ref = { id, owner: "worker", attempt: 1 };
      if (endedAt !== undefined) await one.jobs.finish(ref, { at: endedAt, state: "failed" });
      return id;
    };
    const gone = await make("video", NOW - 31 * DAY);
    const kept = [
      await make("video", NOW - 29 * DAY),
      await make("video"),
      await make("speech", NOW - 31 * DAY),
    ];
    await one.contents.sweep(NOW);
    const shown = async (id: string) => (await one.jobs.get({ id, accountId }))?.shown;
    expect(await shown(gone)).toBeUndefined();
    for (const id of kept) expect(await shown(id)).toBeDefined();
  });

  it("contents are counted correctly while they are written and swept in several processes", async () => {
    const one = await open({ days: 1, quota: QUOTA });
    const other = await database().open({ records: { days: 1, quota: QUOTA } });
    const { accountId } = await makeCaller(one);
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const by = n % 2 ? one : other;
        await ask(by, accountId, { age: (n % 3) * DAY, bytes: 4_000 });
        if (n % 5 === 0) await by.contents.sweep(NOW);
      }),
    );
    await Promise.all([one.contents.sweep(NOW), other.contents.sweep(NOW)]);
    await other.close();
    const { said, there } = await bytesOf(accountId);
    expect(said).toBe(there);
    expect(await one.money.audit()).toEqual([]);
  });
};
