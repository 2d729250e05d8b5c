import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Archive, ArchiveError, type Generation, type Store, windowsOf } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createArchive } from "../../../packages/store/src/archive/archive.ts";
import type { Engine } from "../../../packages/store/src/engine/engine.ts";
import { monthAfter, monthOf, startOf } from "../../../packages/store/src/engine/month.ts";
import { createPostgresEngine } from "../../../packages/store/src/engine/postgres.ts";
import { createSqliteEngine } from "../../../packages/store/src/engine/sqlite.ts";
import { createPartitions } from "../../../packages/store/src/partitions/partitions.ts";
import { setting } from "../../system/money/places.ts";
import { memoryObjects } from "../archive/memory-objects.ts";
import type { Database } from "../databases/database.ts";
import { elsewhere, makeCaller, makeReservation, NOW, priced } from "../fixtures.ts";
import type { Context } from "../suite.ts";

const DAY = 86_400_000;
/** The months before this one are closed. */
const DAYS = 5;
const FIRST = startOf("2026-08");
const SPAN = NOW - FIRST;
const MONTHS = ["2026-08", "2026-09", "2026-10", "2026-11"];

type Caller = { accountId: string; keyId: string };

interface Request {
  /** A part of the span. */
  at: number;
  caller: number;
  isOfSession: boolean;
  cost: number;
  /** The ends that it gets: that of recovery and its own, or its own and a refund. */
  fate: "settled" | "released" | "refunded" | "recovered" | "corrected" | "together";
}

const requestArbitrary: fc.Arbitrary<Request> = fc.record({
  at: fc.oneof(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.constantFrom(...boundaries())),
  caller: fc.nat(1),
  isOfSession: fc.nat(4).map((one) => one === 0),
  cost: fc.nat(9),
  fate: fc.constantFrom("settled", "settled", "together", "released", "refunded", "recovered", "corrected"),
});

/** The first and the last moments of months, as parts of the span. */
function boundaries(): number[] {
  return MONTHS.slice(1).flatMap((month) => [
    (startOf(month) - FIRST) / SPAN,
    (startOf(month) - 1 - FIRST) / SPAN,
  ]);
}

const idAt = (at: number): string => at.toString(16).padStart(12, "0") + randomBytes(10).toString("hex");

/** Does what requests do; resolves to the ids of those that were refunded or not, by time. */
async function run(
  database: Database,
  store: Store,
  callers: readonly Caller[],
  requests: readonly Request[],
) {
  const slow = await database.open({ owner: elsewhere() });
  const busy = await database.open({ owner: elsewhere(), busy: 1 });
  const one = async (request: Request, of: Store) => {
    const at = Math.floor(FIRST + request.at * SPAN);
    const { accountId, keyId } = callers[request.caller]!;
    const made = priced(
      makeReservation(request.isOfSession ? { accountId } : { accountId, keyId }, 10, { at }),
    );
    const id = idAt(at);
    await of.money.reserve({ ...made, generation: { ...made.generation, id } });
    return { id, accountId };
  };
  const end = ({ id, accountId }: { id: string; accountId: string }, cost: number, of: Store) =>
    of.money.settle({
      ...{ id, accountId, cost, status: "succeeded", durationMs: 40 },
      usage: { output: cost, input: 2 },
    });
  for (const request of requests) {
    const { fate, cost } = request;
    if (fate === "together") continue;
    const of = fate === "corrected" || fate === "recovered" ? slow : store;
    const begun = await one(request, of);
    if (fate === "settled" || fate === "refunded") await end(begun, cost, of);
    if (fate === "released") await of.money.release({ id: begun.id, status: "failed" });
    if (fate === "refunded" && cost > 0) await of.money.refund(begun.id, Math.ceil(cost / 2), NOW);
    if (of === store) continue;
    await of.money.checkpoint(begun.id, { output: 4 });
    await store.money.recover(Date.now() + 60_000);
    if (fate === "corrected") await end(begun, cost, of);
  }
  // Those of one moment are drawn from a lease, and charged together.
  const together = requests.filter(({ fate }) => fate === "together");
  for (const request of together) {
    const burst = Array.from({ length: 6 }, () => one(request, busy));
    await Promise.all(burst.map(async (begun) => end(await begun, request.cost, busy)));
  }
  await slow.close();
  await busy.close();
  await store.money.recover(Date.now() + 60_000);
}

/** All that people can see of the books. */
async function booksOf(store: Store, callers: readonly Caller[]) {
  const range = { from: FIRST, to: startOf("2026-12") };
  return {
    balances: await Promise.all(callers.map(({ accountId }) => store.accounts.get(accountId))),
    caps: await Promise.all(
      callers.flatMap(({ keyId }) => MONTHS.map((month) => store.money.capStatus(keyId, startOf(month)))),
    ),
    series: await store.usage.series(range, { by: "key", bucket: "day" }),
    totals: await store.ledger.totals(),
    days: await store.ledger.days(0),
  };
}

const recordsOf = async (store: Store, { accountId }: Caller): Promise<Generation[]> =>
  (await store.generations.list({ accountId }, { offset: 0, limit: 1_000 })).results;

const isTrace = (name: string): boolean => name.endsWith(".calls");

const engineOf = ({ dialect, location }: Database): Engine =>
  dialect === "sqlite" ? createSqliteEngine({ path: location }) : createPostgresEngine({ url: location });

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of all) list.push(one);
  return list;
}

export const archive: Context = (database, make) => {
  it("books stay as they are when months are archived and removed, wherever a process ends meanwhile", {
    timeout: 120_000,
  }, async () => {
    const history = async (requests: Request[], kills: number[], hasPartitions: boolean) => {
      const database = await make();
      const store = await database.open({ owner: elsewhere() });
      const callers = [await makeCaller(store), await makeCaller(store)];
      for (const { accountId, keyId } of callers)
        await store.keys.change({ accountId, id: keyId }, { caps: { monthly: 1e9, total: 1e9 } });
      if (hasPartitions) for (const month of MONTHS) await store.partitions.keep(startOf(month));
      await run(database, store, callers, requests);
      const before = await booksOf(store, callers);
      const records = (await Promise.all(callers.map((one) => recordsOf(store, one)))).flat();
      const bills = (archive: Archive) =>
        Promise.all(
          callers.flatMap(({ accountId }) =>
            MONTHS.map((month) => archive.bill(objects, { accountId, month })),
          ),
        );
      const objects = memoryObjects();
      const billed = await bills(store.archive);
      expect(await store.money.audit()).toEqual([]);

      // A process that ends before one of its writes, of rows or of files.
      const engine = engineOf(database);
      let left = Number.POSITIVE_INFINITY;
      const die = () => {
        if (left-- <= 0) throw new Error("killed");
      };
      const dying: Engine = {
        ...engine,
        write: async (work, options) => {
          die();
          return engine.write(work, options);
        },
      };
      objects.beforePut = die;
      const archive = createArchive(dying, createPartitions(dying, undefined), async () => "one");
      const terms = { objects, now: NOW, days: DAYS, mostLines: 7 };
      const attempt = async () => {
        for await (const _ of archive.write(terms));
        for await (const _ of archive.remove(terms));
      };
      for (const kill of [...kills, Number.POSITIVE_INFINITY]) {
        left = kill;
        const outcome = await attempt().catch((error: Error) => error.message);
        if (kill < Number.POSITIVE_INFINITY)
          expect([undefined, expect.stringContaining("killed")]).toContainEqual(outcome);
        else expect(outcome).toBeUndefined();
        expect(await store.money.audit()).toEqual([]);
        expect(await booksOf(store, callers)).toEqual(before);
      }
      objects.beforePut = () => {};
      const whole = createArchive(engine, createPartitions(engine, undefined), async () => "one");
      for (const verified of await collect(whole.verify(objects))) expect(verified.error).toBeUndefined();
      const months = await whole.list();
      expect(months.map(({ state }) => state)).toEqual(months.map(() => "removed"));
      const closed = records.filter(({ createdAt }) => monthOf(createdAt) < "2026-11");
      const read = (await Promise.all(months.map(({ month }) => collect(whole.read(objects, month))))).flat();
      const byId = (some: readonly Generation[]) =>
        some.map(({ request: _, ...record }) => record).sort((a, b) => (a.id < b.id ? -1 : 1));
      expect(byId(read)).toEqual(byId(closed));
      for (const record of closed) {
        expect(await store.generations.find(record.id)).toBeUndefined();
        expect(await store.archive.removedMonthOf(record.id)).toBe(monthOf(record.createdAt));
      }
      for (const { accountId } of callers) {
        const { results } = await store.ledger.list(accountId, { offset: 0, limit: 1_000 });
        let balance = (await store.accounts.get(accountId))!.balance;
        for (const movement of results) {
          expect(movement.balance).toBe(balance);
          balance -= movement.amount;
        }
        expect(balance).toBe(0);
      }
      expect(await bills(whole)).toEqual(billed);
      expect(await store.usage.repair()).toBe(0);
      await engine.close();
      await store.close();
      await database.drop();
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(requestArbitrary, { minLength: 5, maxLength: 16 }),
        fc.array(fc.nat(12), { maxLength: 2 }),
        fc.boolean(),
        history,
      ),
      { numRuns: setting("ARCHIVES", 2) },
    );
  });

  it("a month is archived once it is closed and all its records have ended, in order", async () => {
    const database = await make();
    const store = await database.open({ owner: elsewhere() });
    const caller = await makeCaller(store);
    const objects = memoryObjects();
    const terms = { objects, now: NOW, days: DAYS };
    expect(await collect(store.archive.write(terms))).toEqual([]);
    const request = async (at: number) => {
      const made = makeReservation(caller, 5, { at });
      const id = idAt(at);
      await store.money.reserve({ ...made, generation: { ...made.generation, id } });
      return id;
    };
    const settle = (id: string) => store.money.settle({ id, cost: 5, status: "succeeded" });
    await settle(await request(startOf("2026-09") + DAY));
    const open = await request(startOf("2026-10") + DAY);
    const refusal = (until: string, days = DAYS) =>
      collect(store.archive.write({ ...terms, days, month: until })).then(
        () => "none",
        (error: ArchiveError) => error.message,
      );
    expect(await refusal("2026-11")).toBe(
      "2026-11 is not closed: it is 5 days after its end, so 2026-10 is the last month that is",
    );
    expect(await refusal("2026-10", 25)).toMatch(
      /2026-10 is not closed: it is 25 days after its end, so 2026-09/,
    );
    expect(await refusal("October")).toBe('"October" is no month like 2026-11');
    expect(await refusal("2026-10")).toBe(
      `2026-10 is not closed: 1 of its records, such as ${open}, have not ended`,
    );
    expect((await store.archive.list()).map(({ month }) => month)).toEqual(["2026-09"]);
    await settle(open);
    expect(await refusal("2026-10")).toBe("none");
    const written = new Map(objects.files);
    expect(await collect(store.archive.write(terms))).toEqual([]);
    expect(objects.files).toEqual(written);
    expect(await store.money.refund(open, 1, NOW)).toBe(true);
    await collect(store.archive.remove(terms));

    await expect(store.money.refund(open, 1, NOW)).rejects.toThrow(RangeError);
    expect(await settle(open)).toEqual({ outcome: "refused" });
    expect(await store.archive.removedUntil()).toBe(startOf("2026-11"));
    expect(await store.archive.removedMonthOf("ffffffffffff")).toBeUndefined();
    expect(await store.archive.removedMonthOf("mine")).toBeUndefined();
    await expect(collect(store.archive.read(objects, "2026-08"))).rejects.toThrow(
      "2026-08 is not archived; 2026-09 to 2026-10 are",
    );
    expect(await store.money.audit()).toEqual([]);
    const { results } = await store.auditLog.list(
      { actions: ["month_archived", "month_removed"] },
      { offset: 0, limit: 9 },
    );
    expect(results.map(({ action, subject }) => `${action} ${subject}`).sort()).toEqual([
      ...["month_archived 2026-09", "month_archived 2026-10"],
      ...["month_removed 2026-09", "month_removed 2026-10"],
    ]);
    // What is written late into an archived month stays in the way of later ones.
    await settle(await request(startOf("2026-09") + 2 * DAY));
    const next = startOf(monthAfter(monthOf(NOW))) + 10 * DAY;
    await settle(await request(NOW));
    const late = collect(store.archive.write({ ...terms, now: next }));
    await expect(late).rejects.toThrow(ArchiveError);
    await store.close();
    await database.drop();
  });

  it("a month that is written gets neither calls of dead processes nor late ends, which the log says", async () => {
    const database = await make();
    const store = await database.open({ owner: elsewhere() });
    const calls = mkdtempSync(join(tmpdir(), "manifold-calls-"));
    const lines: object[] = [];
    const log = { warn: (fields: object, text: string) => void lines.push({ ...fields, text }) };
    const caller = await makeCaller(store);
    const at = startOf("2026-10") + DAY;
    const request = async (of: Store) => {
      const made = priced(makeReservation(caller, 10, { at }));
      const id = idAt(at);
      await of.money.reserve({ ...made, generation: { ...made.generation, id } });
      return id;
    };
    const settle = (of: Store, id: string) =>
      of.money.settle({ id, accountId: caller.accountId, cost: 7, status: "succeeded" });
    const slow = await database.open({ owner: elsewhere() });
    const late = await request(slow);
    await store.money.recover(Date.now() + 60_000);
    const busy = await database.open({ owner: elsewhere(), calls, busy: 2 });
    while ((await database.execute("SELECT id FROM leases")).length === 0)
      await settle(busy, await request(busy));
    const drawn = await request(busy);
    const trace = join(calls, readdirSync(calls, { recursive: true, encoding: "utf8" }).find(isTrace)!);
    const call = readFileSync(trace, "utf8")
      .split("\n")
      .find((line) => line.includes(drawn));
    await settle(busy, drawn);
    await busy.close();
    // What a process leaves that was killed before it recorded its call.
    const [owner, lost] = [elsewhere(), idAt(at)];
    writeFileSync(trace, `${JSON.stringify(owner)}\n${call!.replace(drawn, lost)}\n`);
    const terms = { objects: memoryObjects(), now: NOW, days: DAYS };
    expect(await collect(store.archive.write(terms))).toHaveLength(1);

    const other = await database.open({ owner: elsewhere(), calls, log });
    await other.money.recover(Date.now() + 60_000);
    expect(await settle(slow, late)).toEqual({ outcome: "refused" });
    expect(await store.generations.find(lost)).toBeUndefined();
    const text = "call of a dead process has no record: its month is archived";
    expect(lines).toContainEqual({ generation: lost, month: "2026-10", owner, text });
    expect(await collect(store.archive.verify(terms.objects))).toEqual([
      { month: "2026-10", records: expect.any(Number) },
    ]);
    expect(await store.money.audit()).toEqual([]);
    for (const one of [slow, other, store]) await one.close();
    await database.drop();
    rmSync(calls, { recursive: true, force: true });
  });

  it("records that no archive would show, and books that do not agree, are refused", async () => {
    const database = await make();
    const store = await database.open({ owner: elsewhere() });
    const caller = await makeCaller(store);
    const terms = { objects: memoryObjects(), now: NOW, days: DAYS };
    const at = startOf("2026-10") + DAY;
    for (const id of [idAt(at), `odd-${randomBytes(4).toString("hex")}`]) {
      const made = makeReservation(caller, 5, { at });
      await store.money.reserve({ ...made, generation: { ...made.generation, id } });
      await store.money.settle({ id, cost: 5, status: "succeeded" });
    }
    await expect(collect(store.archive.write(terms))).rejects.toThrow(
      /of account-.+, 1 records that cost 5 micro-USD were found, and the hourly sums have 2 that cost 10/,
    );
    await database.execute("UPDATE generations SET cost = 6 WHERE id LIKE '0%'");
    await expect(collect(store.archive.write(terms))).rejects.toThrow(
      /2026-10 cannot be archived: the charge of a record is not its cost: .+ has 5, not 6/,
    );
    expect(terms.objects.files.size).toBeLessThan(3);
    expect(await store.archive.list()).toEqual([]);
    await store.close();
    await database.drop();
  });

  it("the audit finds damage to what is left of a removed month", async () => {
    const store = await database().open({ owner: elsewhere() });
    const caller = await makeCaller(store);
    const at = startOf("2026-10") + DAY;
    const made = makeReservation(caller, 5, { at });
    const id = idAt(at);
    await store.money.reserve({ ...made, generation: { ...made.generation, id } });
    await store.money.settle({ id, cost: 5, status: "succeeded" });
    await store.money.refund(id, 2, NOW);
    const terms = { objects: memoryObjects(), now: NOW, days: DAYS };
    await collect(store.archive.write(terms));
    await collect(store.archive.remove(terms));
    expect(await store.money.audit()).toEqual([]);
    const { monthly } = windowsOf(at);
    const damages: [damage: string, repair: string, invariants: RegExp][] = [
      [
        "UPDATE archived_days SET cost = cost + 1",
        "UPDATE archived_days SET cost = cost - 1",
        /^what is spent|^what an account's keys|^the sums of hours of removed/,
      ],
      [
        "UPDATE archived_days SET charged = charged + 1",
        "UPDATE archived_days SET charged = charged - 1",
        /^the charges that an account has of removed months/,
      ],
      [
        `UPDATE hourly_sums SET requests = requests + 1 WHERE account_id = '${caller.accountId}'`,
        `UPDATE hourly_sums SET requests = requests - 1 WHERE account_id = '${caller.accountId}'`,
        /^the sums of hours of removed months/,
      ],
      [
        "UPDATE archived_generations SET cost = 1",
        "UPDATE archived_generations SET cost = 5",
        /^a refund is of a charge/,
      ],
      [
        `UPDATE key_spend SET spent = spent + 1 WHERE win = '${monthly}'`,
        `UPDATE key_spend SET spent = spent - 1 WHERE win = '${monthly}'`,
        /^what is spent in a window/,
      ],
    ];
    for (const [damage, repair, invariant] of damages) {
      await database().execute(damage);
      const found = await store.money.audit();
      await database().execute(repair);
      expect(found.length, damage).toBeGreaterThan(0);
      for (const one of found) expect(one.invariant).toMatch(invariant);
    }
    expect(await store.money.audit()).toEqual([]);
    await store.close();
  });
};
