import type { Store } from "@manifold-gateway/store";
import { describe, expect, test } from "vitest";
import type { Jobs } from "../../../packages/gateway/src/ports/jobs.ts";
import type { StoredJobs } from "../../../packages/store/src/jobs/jobs.ts";
import { atOnce, bodyNames, newId, orderOf } from "./orders.ts";
import { allDatabases, databases, mediaJobsOf, useStage } from "./stage.ts";

const LEASE = 60_000;
/** A multiple of 10. */
const JOBS = Number(process.env.JOBS ?? 60);
const LONG = 24 * 3_600_000;

/** A store whose process stops for ever at one write to its jobs: before the write, or with its answer lost. */
function stopAt(store: Store, turn: number, side: "before" | "after") {
  let turns = 0;
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const never = () => new Promise<never>(() => {});
  let isStopped = false;
  const guarded =
    <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      if (isStopped) return never();
      const isLast = turns++ === turn;
      if (isLast) isStopped = true;
      const answer = isLast && side === "before" ? undefined : await call(...args);
      if (!isLast) return answer as Answer;
      stop();
      return never();
    };
  const { note, finish } = store.jobs;
  const quiet =
    <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    (...args: Args) =>
      isStopped ? never() : call(...args);
  const jobs: StoredJobs = {
    ...store.jobs,
    note: guarded(note),
    finish: guarded(finish),
    claim: quiet(store.jobs.claim),
    renew: quiet(store.jobs.renew),
  };
  return { store: { ...store, jobs }, stopped };
}

describe.each(allDatabases)("jobs whose worker stops on %s", (dialect, make) => {
  const stage = useStage(make);

  const goOn = async (jobs: Jobs, ref: { id: string; accountId: string }, until: Promise<void>) => {
    let isOver = false;
    void until.then(() => {
      isOver = true;
    });
    const ended = async () => (await stage().store.jobs.get(ref))?.endedAt !== undefined;
    for (let turns = 0; turns < 50 && !isOver && !(await ended()); turns++) {
      await Promise.race([jobs.wake(), until]);
      if (!isOver) stage().clock.next();
    }
    return isOver;
  };

  /** Kinds differ above the store, whose statements see only whether an answer comes at once. */
  const kinds = databases.some(([one]) => one === dialect)
    ? bodyNames
    : (["image inline", "video task"] as const);
  /** Every write that a job makes, and both sides of it. */
  const moments = kinds.flatMap((name) =>
    Array.from({ length: atOnce.has(name) ? 3 : 5 }, (_, turn) => turn).flatMap((turn) =>
      (["before", "after"] as const).map((side) => [name, side, turn] as const),
    ),
  );

  test.each(moments)(
    "%s is taken over by another worker when its own stops %s write %i",
    async (name, side, turn) => {
      const { store, clock } = stage();
      const caller = await stage().caller();
      const mark = newId();
      const order = orderOf(name, caller, `A turtle ${mark}. [[outcome:queued=1,running=1]]`);
      const ref = { id: order.id, accountId: caller.accountId };
      const frozen = stopAt(store, turn, side);
      const first = stage().worker({ store: frozen.store }, "stops");
      first.start();
      await first.submit(order);
      expect(await goOn(first, ref, frozen.stopped)).toBe(true);

      clock.advance(LEASE + 1);
      const second = stage().worker();
      second.start();
      const job = await stage().finish(second, ref);
      await second.close();

      const mediaJobs = mediaJobsOf(stage(), mark);
      expect(mediaJobs.length).toBeLessThanOrEqual(1);
      const account = (await store.accounts.get(caller.accountId))!;
      const generation = (await store.generations.get(ref))!;
      expect(account.held).toBe(0);
      expect(generation.status).toBe(job.state);
      expect(account.balance).toBe(1_000_000_000 - generation.cost!);
      if (job.state === "succeeded") {
        expect(generation.cost).toBeGreaterThan(0);
        expect(mediaJobs).toHaveLength(1);
      } else {
        expect(generation.cost).toBe(0);
        // Nothing that was begun is forgotten: where the result is not known, the job says so.
        expect(job).toMatchObject({ state: "failed", orphan: true });
      }
      // What was on its way to be charged had been stored, and is found there.
      if (atOnce.has(name) && turn >= 2) expect(job).toMatchObject({ state: "succeeded", orphan: false });
      // What a provider had named before the stop is never given up.
      if (!atOnce.has(name) && !(turn === 0 || (turn === 1 && side === "before")))
        expect(job.state).toBe("succeeded");
      expect(await store.money.audit()).toEqual([]);
    },
  );

  test("a slow step keeps its lease, and loses it when its heartbeat stops", async () => {
    const { store, clock, simulator } = stage();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let renewals = 0;
    const { renew } = store.jobs;
    let answered = () => {};
    const counting: StoredJobs = {
      ...store.jobs,
      async renew(...args) {
        const has = await renew(...args);
        renewals += 1;
        answered();
        return has;
      },
    };
    let reached = () => {};
    const atPut = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const objects: typeof stage extends () => { objects: infer O } ? O : never = {
      ...stage().objects,
      async put(key, source, options) {
        reached();
        await gate;
        return stage().objects.put(key, source, options);
      },
    };
    const caller = await stage().caller();
    const slow = stage().worker({ store: { ...store, jobs: counting }, objects });
    slow.start();
    const order = orderOf("image inline", caller);
    const ref = { id: order.id, accountId: caller.accountId };
    await slow.submit(order);
    await atPut;
    const other = stage().worker();
    other.start();
    for (let turns = 0; turns < 6; turns++) {
      const said = new Promise<void>((resolve) => {
        answered = resolve;
      });
      clock.advance(LEASE / 3);
      await said;
      await other.wake();
      expect((await store.jobs.get(ref))?.attempt).toBe(1);
    }
    expect(renewals).toBeGreaterThanOrEqual(6);
    release();
    expect((await slow.finished(ref)).state).toBe("succeeded");
    expect(simulator.ledger.mediaJobs()).toHaveLength(1);
    await other.close();
    await slow.close();
  });

  test("a worker that is told to stop ends its steps, and claims no more jobs", async () => {
    const caller = await stage().caller();
    const first = stage().worker();
    first.start();
    const order = orderOf("video task", caller);
    const ref = { id: order.id, accountId: caller.accountId };
    await first.submit(order);
    await first.drain();
    expect(await first.get(ref)).toMatchObject({ state: "queued", taskId: expect.any(String) });
    stage().clock.advance(LONG);
    await first.wake();
    expect((await first.get(ref))?.state).toBe("queued");
    const second = stage().worker();
    second.start();
    expect((await stage().finish(second, ref)).endedAt).toBeDefined();
    await second.close();
  });

  test("a job ordered at a process without workers is done elsewhere, and can be waited for", async () => {
    const caller = await stage().caller();
    const desk = stage().worker();
    const order = orderOf("reading", caller, "Hello.");
    const ref = { id: order.id, accountId: caller.accountId };
    expect((await desk.submit(order)).state).toBe("queued");
    const gone = new AbortController();
    const impatient = desk.finished(ref, gone.signal);
    gone.abort(new Error("left"));
    await expect(impatient).rejects.toThrow("left");
    const waiting = desk.finished(ref);
    const worker = stage().worker();
    worker.start();
    await stage().finish(worker, ref);
    stage().clock.advance(1_000);
    expect((await waiting).state).toBe("succeeded");
    await worker.close();
    await expect(desk.finished({ ...ref, id: "none" })).rejects.toThrow(RangeError);
  });

  test(`${JOBS} jobs that no client asks about all end and are settled`, async () => {
    const { store, clock } = stage();
    const caller = await stage().caller(100_000_000_000);
    const jobs = stage().worker({ limits: { concurrency: 32, maxLiveJobs: JOBS } });
    jobs.start();
    const orders = Array.from({ length: JOBS }, (_, index) =>
      orderOf(
        bodyNames[index % bodyNames.length]!,
        caller,
        `Turtle ${index}.${index % 10 === 9 ? " [[outcome:fail=moderation]]" : ""}`,
      ),
    );
    await Promise.all(orders.map((order) => jobs.submit(order)));
    const live = async () =>
      (await store.jobs.list({ ...caller, live: true }, { offset: 0, limit: 1 })).total;
    for (let turns = 0; turns < 200 && (await live()) > 0; turns++) {
      await jobs.wake();
      clock.next();
    }
    expect(await live()).toBe(0);
    const page = { offset: 0, limit: 1 };
    const count = async (status: "succeeded" | "failed" | "pending") =>
      (await store.generations.list({ accountId: caller.accountId, status }, page)).total;
    expect(await count("pending")).toBe(0);
    expect((await count("succeeded")) + (await count("failed"))).toBe(JOBS);
    expect(await count("failed")).toBe(JOBS / 10);
    expect((await store.accounts.get(caller.accountId))?.held).toBe(0);
    expect(await store.money.audit()).toEqual([]);
    await jobs.close();
  }, 120_000);
});
