import {
  type Counts,
  costOf,
  ObjectFault,
  type Objects,
  type Price,
  type Store,
} from "@manifold-gateway/store";
import { describe, expect, test } from "vitest";
import type { Jobs } from "../../../packages/gateway/src/ports/jobs.ts";
import { atOnce, type BodyName, newId, orderOf } from "./orders.ts";
import { databases, mediaJobsOf, useStage } from "./stage.ts";

const LEASE = 60_000;
const CREDIT = 1_000_000_000;
const names = [...atOnce];
/** Whose answer names where the file is. The others' is the file. */
const byAddress: ReadonlySet<BodyName> = new Set(["image by address"]);

/** A process that stops for ever at the n-th file it stores: before it is stored, or right after. */
function stopAtPut(store: Store, objects: Objects, turn: number, side: "before" | "after") {
  let puts = 0;
  let isStopped = false;
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const never = () => new Promise<never>(() => {});
  const quiet =
    <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    (...args: Args) =>
      isStopped ? never() : call(...args);
  const { note, finish, claim, renew } = store.jobs;
  const silent = { note: quiet(note), finish: quiet(finish), claim: quiet(claim), renew: quiet(renew) };
  return {
    stopped,
    store: { ...store, jobs: { ...store.jobs, ...silent } },
    objects: {
      ...objects,
      async put(...args: Parameters<Objects["put"]>) {
        const isLast = puts++ === turn;
        if (isLast && side === "before") isStopped = true;
        if (isStopped) {
          stop();
          return never();
        }
        const stored = await objects.put(...args);
        if (!isLast) return stored;
        isStopped = true;
        stop();
        return never();
      },
    },
  };
}

describe.each(databases)("answers of jobs on %s", (_, make) => {
  const stage = useStage(make);

  const begin = async (worker: Jobs, name: BodyName, count = 1) => {
    const { accountId } = await stage().caller(CREDIT);
    const mark = newId();
    const order = orderOf(name, { accountId }, `A turtle ${mark}.`);
    if (order.kind === "image" && count > 1) order.ask.numberOfImages = count;
    worker.start();
    await worker.submit(order);
    return { mark, order, ref: { id: order.id, accountId } };
  };
  const takeOver = async (ref: { id: string; accountId: string }) => {
    stage().clock.advance(LEASE + 1);
    const worker = stage().worker();
    worker.start();
    const job = await stage().finish(worker, ref);
    await worker.close();
    return job;
  };
  const charged = async ({ id, accountId }: { id: string; accountId: string }) => {
    const { store } = stage();
    const generation = (await store.generations.get({ id, accountId }))!;
    const account = await store.accounts.get(accountId);
    expect(account).toMatchObject({ held: 0, balance: CREDIT - generation.cost! });
    expect(await store.money.audit()).toEqual([]);
    return generation;
  };
  const bytesOf = async (key: string) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await stage().objects.get(key))!.stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  test.each(names)(
    "%s that was stored when its worker stopped is delivered and charged once",
    async (name) => {
      const { store, objects } = stage();
      const frozen = stopAtPut(store, objects, 0, "after");
      const { ref, order, mark } = await begin(stage().worker(frozen, "stops"), name);
      await frozen.stopped;
      const job = await takeOver(ref);
      expect(job).toMatchObject({ state: "succeeded", orphan: false });
      const [work, ...more] = mediaJobsOf(stage(), mark);
      expect(work?.state).toBe("succeeded");
      expect(more).toEqual([]);
      expect(job.outputs).toHaveLength(1);
      for (const { key, size } of job.outputs) expect((await bytesOf(key)).length).toBe(size);
      const { usage, cost, status } = await charged(ref);
      expect(status).toBe("succeeded");
      expect(cost).toBe(costOf(usage as Counts, order.price as Price));
      expect(cost).toBeGreaterThan(0);
      // What was reported with the answer is charged, as if its first worker had gone on.
      const twin = orderOf(name, { accountId: ref.accountId }, `A turtle ${newId()}.`);
      const steady = stage().worker();
      steady.start();
      await steady.submit(twin);
      await stage().finish(steady, { id: twin.id, accountId: ref.accountId });
      await steady.close();
      const other = await store.generations.get({ id: twin.id, accountId: ref.accountId });
      expect(other?.usage).toEqual(usage);
    },
  );

  test.each(names)(
    "%s that was not stored is fetched again, or is reported and costs nothing",
    async (name) => {
      const { store, objects } = stage();
      const frozen = stopAtPut(store, objects, 0, "before");
      const { ref, mark } = await begin(stage().worker(frozen, "stops"), name);
      await frozen.stopped;
      const job = await takeOver(ref);
      expect(mediaJobsOf(stage(), mark)).toHaveLength(1);
      const { cost } = await charged(ref);
      if (byAddress.has(name)) {
        expect(job).toMatchObject({ state: "succeeded", orphan: false });
        expect(cost).toBeGreaterThan(0);
      } else {
        expect(job).toMatchObject({ state: "failed", orphan: true, error: { message: /lost/ } });
        expect(cost).toBe(0);
      }
    },
  );

  test("some of several pictures are not sold as all of them", async () => {
    const { store, objects } = stage();
    const frozen = stopAtPut(store, objects, 1, "before");
    const { ref } = await begin(stage().worker(frozen, "stops"), "image inline", 3);
    await frozen.stopped;
    expect(await takeOver(ref)).toMatchObject({ state: "failed", orphan: true, outputs: [] });
    expect((await charged(ref)).cost).toBe(0);
    const whole = stopAtPut(store, objects, 2, "after");
    const second = await begin(stage().worker(whole, "stops"), "image inline", 3);
    await whole.stopped;
    const job = await takeOver(second.ref);
    expect(job.state).toBe("succeeded");
    expect(new Set(job.outputs.map(({ key }) => key)).size).toBe(3);
    expect((await charged(second.ref)).cost).toBeGreaterThan(0);
  });

  test.each(names)("%s survives an object store that fails temporarily", async (name) => {
    let failures = 1;
    const objects: Objects = {
      ...stage().objects,
      async put(...args) {
        if (failures-- > 0) throw new ObjectFault("unavailable");
        return stage().objects.put(...args);
      },
    };
    const worker = stage().worker({ objects });
    const { ref, mark } = await begin(worker, name);
    expect((await stage().finish(worker, ref)).state).toBe("succeeded");
    expect(mediaJobsOf(stage(), mark)).toHaveLength(1);
    await charged(ref);
    await worker.close();
  });
});
