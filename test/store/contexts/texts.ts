import { randomUUID } from "node:crypto";
import type { RecordOptions, Store } from "@manifold-gateway/store";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";

const DAY = 24 * 3_600_000;
const QUOTA = 80_000;

export const texts: Context = (database) => {
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
    const rows = await database().execute(
      `SELECT kept_bytes AS said, COALESCE((SELECT SUM(octet_length(content)) FROM requests
        WHERE account = accounts.id), 0) AS there FROM accounts WHERE id = '${accountId}'`,
    );
    return { said: Number(rows[0]?.said), there: Number(rows[0]?.there) };
  };

  it("the sweep counts texts of an earlier version to their accounts, whose records keep them", async () => {
    const one = await open({ days: 30 });
    const callers = await Promise.all([0, 1, 2].map(() => makeCaller(one)));
    const made = [];
    for (const { accountId } of callers)
      for (let i = 0; i < 70; i++) made.push({ accountId, ...(await ask(one, accountId)) });
    await database().execute("UPDATE requests SET account = NULL, asked_at = NULL, bytes = NULL");
    await database().execute("UPDATE accounts SET kept_bytes = 0");
    expect(await one.texts.sweep(NOW)).toBe(0);
    for (const { accountId } of callers)
      expect(await bytesOf(accountId)).toEqual({ said: 7_000, there: 7_000 });
    expect(await one.texts.sweep(NOW + 31 * DAY)).toBe(made.length);
  });

  it("the sweep deletes exactly the old texts, and leaves records, balances and sums as they were", async () => {
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
        const old = made.filter(({ age }) => age > 30 * DAY);
        expect(await one.texts.sweep(NOW)).toBe(old.length);
        for (const ref of made)
          expect(await isKept(one, ref.accountId, ref.id), String(ref.age)).toBe(!old.includes(ref));
        expect(await books()).toEqual(before);
        expect(before.differences).toEqual([]);
        for (const { accountId } of callers) {
          const { said, there } = await bytesOf(accountId);
          expect(said).toBe(there);
        }
      }),
      { numRuns: 6 },
    );
  });

  it("the sweep deletes more texts than one step takes, and continues where it was stopped", async () => {
    const one = await open({ days: 1 });
    const { accountId } = await makeCaller(one);
    const made = await Promise.all(Array.from({ length: 230 }, () => ask(one, accountId, { age: 2 * DAY })));
    const fresh = await ask(one, accountId);
    const stopped = new AbortController();
    const first = one.texts.sweep(NOW, stopped.signal);
    stopped.abort();
    expect(await first).toBeLessThan(made.length);
    await one.texts.sweep(NOW);
    expect(await isKept(one, accountId, fresh.id)).toBe(true);
    expect(await bytesOf(accountId)).toEqual({ said: 100, there: 100 });
    expect(await one.texts.sweep(NOW)).toBe(0);
  });

  it("texts of an account never exceed its quota, and the sweep makes room by deleting the oldest", async () => {
    const one = await open({ quota: QUOTA });
    const [{ accountId }, other] = [await makeCaller(one), await makeCaller(one)];
    const made = [];
    for (let n = 0; n < 12; n++) made.push(await ask(one, accountId, { age: DAY - n, bytes: 10_000 }));
    // Reservations that wait for one commit are made together.
    await Promise.all(Array.from({ length: 8 }, () => ask(one, accountId, { bytes: 10_000 })));
    expect(await bytesOf(accountId)).toEqual({ said: QUOTA, there: QUOTA });
    expect(await isKept(one, accountId, made[11]!.id)).toBe(false);
    await ask(one, other.accountId, { bytes: 10_000 });
    expect(await bytesOf(other.accountId)).toEqual({ said: 10_000, there: 10_000 });

    await one.texts.sweep(NOW);
    for (const [n, { id }] of made.slice(0, 8).entries())
      expect(await isKept(one, accountId, id), String(n)).toBe(n >= 2);
    const latest = await ask(one, accountId, { bytes: 10_000 });
    expect(await isKept(one, accountId, latest.id)).toBe(true);
    expect(await bytesOf(accountId)).toEqual({ said: 70_000, there: 70_000 });
    expect(await one.money.audit()).toEqual([]);
  });

  it("repeatable answers count toward the quota, and are not kept where there is no room", async () => {
    const one = await open({ quota: QUOTA });
    const { accountId } = await makeCaller(one);
    const end = async (name: string) => {
      const ref = { accountId, route: "/r", name };
      await one.repeats.begin({ ...ref, bodyHash: "h", generationId: name, at: NOW });
      const answer = { status: 200, headers: {}, body: "a".repeat(50_000) };
      await one.repeats.end({ ...ref, generationId: name, answer });
      await one.repeats.end({ ...ref, generationId: name, answer });
      return one.repeats.begin({ ...ref, bodyHash: "h", generationId: "again", at: NOW });
    };
    expect((await end("first"))?.answer).toBeDefined();
    const second = await end("second");
    expect(second).toMatchObject({ state: "done" });
    expect(second).not.toHaveProperty("answer");
    expect((await bytesOf(accountId)).said).toBeGreaterThan(50_000);
    await one.repeats.expire(NOW + 1);
    expect(await bytesOf(accountId)).toEqual({ said: 0, there: 0 });
    expect((await end("third"))?.answer).toBeDefined();
  });

  it.each([
    ["none", undefined],
    ["metadata", { model: "m", prompt: "75 characters" }],
    ["full", { model: "m", prompt: "p".repeat(75) }],
  ] as const)("a record keeps of a request what the setting says: %s", async (requests, kept) => {
    const one = await open({ requests });
    const { accountId } = await makeCaller(one);
    const { id } = await ask(one, accountId);
    expect((await one.generations.get({ id, accountId }))?.request).toEqual(kept);
    const { said, there } = await bytesOf(accountId);
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

  it("texts of earlier versions, which do not name their account, are found", async () => {
    const one = await open({ days: 30 });
    const { accountId } = await makeCaller(one);
    const [old, young] = [await ask(one, accountId, { age: 31 * DAY }), await ask(one, accountId)];
    await database().execute(
      `UPDATE requests SET account = NULL, asked_at = NULL, bytes = NULL WHERE id IN ('${old.id}', '${young.id}')`,
    );
    await database().execute(`UPDATE accounts SET kept_bytes = 0 WHERE id = '${accountId}'`);
    await one.texts.sweep(NOW);
    expect(await isKept(one, accountId, old.id)).toBe(false);
    expect(await isKept(one, accountId, young.id)).toBe(true);
    expect(await bytesOf(accountId)).toEqual({ said: 100, there: 100 });
  });

  it("kept texts are counted again where they come close to the quota", async () => {
    const one = await open({ quota: QUOTA });
    const { accountId } = await makeCaller(one);
    const { id } = await ask(one, accountId);
    await database().execute(`UPDATE accounts SET kept_bytes = ${QUOTA} WHERE id = '${accountId}'`);
    await one.texts.sweep(NOW);
    expect(await isKept(one, accountId, id)).toBe(true);
    expect((await bytesOf(accountId)).said).toBe(100);
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
    await one.texts.sweep(NOW);
    const shown = async (id: string) => (await one.jobs.get({ id, accountId }))?.shown;
    expect(await shown(gone)).toBeUndefined();
    for (const id of kept) expect(await shown(id)).toBeDefined();
  });

  it("texts are counted correctly while they are written and swept in several processes", async () => {
    const one = await open({ days: 1, quota: QUOTA });
    const other = await database().open({ records: { days: 1, quota: QUOTA } });
    const { accountId } = await makeCaller(one);
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const by = n % 2 ? one : other;
        await ask(by, accountId, { age: (n % 3) * DAY, bytes: 4_000 });
        if (n % 5 === 0) await by.texts.sweep(NOW);
      }),
    );
    await Promise.all([one.texts.sweep(NOW), other.texts.sweep(NOW)]);
    await other.close();
    const { said, there } = await bytesOf(accountId);
    expect(said).toBe(there);
    expect(await one.money.audit()).toEqual([]);
  });
};
