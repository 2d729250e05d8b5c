import { expect, it } from "vitest";
import { elsewhere, makeCaller, makeReservation, NOW, priced } from "../fixtures.ts";
import { startChild } from "../processes.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

export const recovery: Context = (database) => {
  const store = useStore(database);

  it("recovery ends what a closed store left: unsent and unmeasured work for nothing, the rest by checkpoint", async () => {
    const caller = await makeCaller(store(), { credit: 100, caps: { total: 100 } });
    const gone = await database().open();
    const [unsent, sent, measured, job] = [10, 10, 10, 10].map((amount) =>
      priced(makeReservation(caller, amount)),
    );
    await gone.money.reserve(unsent!);
    for (const one of [sent!, measured!]) await gone.money.reserve({ ...one, dispatched: true });
    const work = { kind: "video", at: NOW, deadline: NOW + SECOND } as const;
    await gone.jobs.create({ ...work, ...job!.generation }, { reservation: job! });
    const own = makeReservation(caller, 10);
    await store().money.reserve(own);
    await gone.money.checkpoint(measured!.generation.id, { output: 6 });
    await gone.close();

    const now = Date.now();
    expect(await store().money.recover(now)).toEqual({ settled: 1, released: 2 });
    expect(await store().money.recover(now)).toEqual({ settled: 0, released: 0 });
    const read = ({ generation: { id } }: typeof own) =>
      store().generations.get({ id, accountId: caller.accountId });
    for (const one of [unsent!, sent!])
      expect(await read(one)).toMatchObject({ status: "failed", cost: 0, usage: { recovered: true } });
    expect(await read(measured!)).toMatchObject({
      status: "failed",
      cost: 6,
      usage: { output: 6, recovered: true },
    });
    for (const one of [own, job!]) expect((await read(one))?.status).toBe("pending");
    expect(await store().accounts.get(caller.accountId)).toMatchObject({ balance: 94, held: 20 });
    expect(await store().money.audit()).toEqual([]);
  });

  it("recovery is not held up by a checkpoint that no cost can be computed from", async () => {
    const caller = await makeCaller(store(), { credit: 100 });
    const gone = await database().open();
    const [odd, sound] = [10, 10].map((amount) => priced(makeReservation(caller, amount)));
    for (const one of [odd!, sound!]) await gone.money.reserve(one);
    await gone.money.checkpoint(odd!.generation.id, { output: -1 });
    await gone.money.checkpoint(sound!.generation.id, { output: 6 });
    await gone.close();

    expect(await store().money.recover(Date.now())).toEqual({ settled: 1, released: 1 });
    expect(await store().accounts.get(caller.accountId)).toMatchObject({ balance: 94, held: 0 });
    expect(await store().money.audit()).toEqual([]);
  });

  it("recovery charges by the price that a checkpoint was noted with", async () => {
    const caller = await makeCaller(store(), { credit: 100 });
    const gone = await database().open();
    const [kept, served] = [10, 10].map((amount) => priced(makeReservation(caller, amount)));
    for (const one of [kept!, served!]) {
      await gone.money.reserve(one);
      await gone.money.checkpoint(one.generation.id, { output: 6 }, { output: 3_000_000 });
    }
    // What is not named again stays.
    await gone.money.checkpoint(kept!.generation.id, { output: 7 });
    await gone.close();

    expect(await store().money.recover(Date.now())).toEqual({ settled: 2, released: 0 });
    const costs = [kept!, served!].map(async ({ generation: { id } }) => {
      const generation = await store().generations.get({ id, accountId: caller.accountId });
      return [generation?.cost, generation?.price];
    });
    expect(await Promise.all(costs)).toEqual([
      [21, { output: 3_000_000 }],
      [18, { output: 3_000_000 }],
    ]);
    expect(await store().money.audit()).toEqual([]);
  });

  it("recovery takes a process that it cannot see for dead after 30 s of silence", async () => {
    const caller = await makeCaller(store(), { credit: 100 });
    const other = await database().open({ owner: elsewhere() });
    await other.money.reserve(makeReservation(caller, 10));
    const now = Date.now();
    await other.money.heartbeat(now);
    expect(await store().money.recover(now + 29 * SECOND)).toMatchObject({ released: 0 });
    await other.money.heartbeat(now + 30 * SECOND);
    expect(await store().money.recover(now + 59 * SECOND)).toMatchObject({ released: 0 });
    expect(await store().money.recover(now + 61 * SECOND)).toMatchObject({ released: 1 });
    await other.close();
  });

  it.runIf(process.platform === "linux")(
    "recovery waits for a process of this machine while it runs, and ends its holds once it is gone",
    async () => {
      const caller = await makeCaller(store(), { credit: 100 });
      const own = await database().open();
      const held = makeReservation(caller, 3);
      await own.money.reserve(held);
      const child = await startChild(database(), "hold", caller);
      child.start();
      for await (const _ of child.lines) break;
      child.signal("SIGSTOP");
      const none = { settled: 0, released: 0 };
      expect(await store().money.recover(Date.now() + HOUR)).toEqual(none);
      await child.kill();
      expect(await store().money.recover(Date.now())).toEqual({ settled: 0, released: 1 });
      expect((await store().accounts.get(caller.accountId))?.held).toBe(3);
      await own.money.release({ id: held.generation.id, status: "failed" });
      await own.close();
    },
  );

  it("recovery of several pages by two processes at once ends each hold once", async () => {
    const caller = await makeCaller(store(), { credit: 1_000 });
    const gone = await database().open();
    const orphans = Array.from({ length: 230 }, () => makeReservation(caller, 1));
    await Promise.all(orphans.map((one) => gone.money.reserve(one)));
    await gone.close();
    const other = await database().open();
    const counts = await Promise.all([store(), other].map(({ money }) => money.recover(Date.now())));
    await other.close();
    expect(counts[0]!.released + counts[1]!.released).toBe(orphans.length);
    expect((await store().accounts.get(caller.accountId))?.held).toBe(0);
  });
};
