import type { JobKind } from "@manifold-gateway/store";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JobSlots } from "../../../packages/gateway/src/jobs/job-slots.ts";
import { newId, orderOf } from "./orders.ts";
import { databases, useStage } from "./stage.ts";

describe.each(databases)("limits of jobs on %s", (_, make) => {
  const stage = useStage(make);

  test("an account has a limited number of jobs at one time, however many are ordered at once and where", async () => {
    const { accountId, keyId } = await stage().caller();
    const other = await stage().database.open();
    const limits = { maxLiveJobs: 3 };
    const desks = [stage().worker({ limits }), stage().worker({ limits, store: other })];
    const orders = Array.from({ length: 10 }, () => orderOf("image by address", { accountId, keyId }));
    const answers = await Promise.allSettled(orders.map((order, index) => desks[index % 2]!.submit(order)));
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
    expect(refused).toHaveLength(7);
    for (const reason of refused)
      expect(reason).toMatchObject({
        status: 429,
        message: expect.stringMatching(/running jobs of the account, 3, is/),
        code: "too_many_jobs",
        options: { headers: { "retry-after": "5" } },
      });
    const live = await stage().store.jobs.list({ accountId, live: true }, { offset: 0, limit: 10 });
    expect(live.total).toBe(3);
    expect(await stage().store.money.audit()).toEqual([]);

    const stranger = await stage().caller();
    await desks[0]!.submit(orderOf("reading", stranger));
    const worker = stage().worker();
    worker.start();
    for (const { id } of live.results) await stage().finish(worker, { id, accountId });
    await desks[1]!.submit(orderOf("reading", { accountId }));
    await worker.close();
    await other.close();
  });

  test("an account has a limited number of identity assets checked at one time, beside its jobs", async () => {
    const { accountId } = await stage().caller();
    const desk = stage().worker({ limits: { pendingAssets: 2, maxLiveJobs: 1 } });
    const create = () =>
      desk.createAsset({
        id: newId(),
        caller: { accountId },
        body: { url: "https://files.example/face.png", assetType: "Image" },
      });
    const answers = await Promise.allSettled([create(), create(), create(), create()]);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(answers.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { status: 429, message: expect.stringMatching(/assets being checked of the account, 2, is/) },
    });
    expect((await desk.assets({ accountId }, { offset: 0, limit: 10 })).total).toBe(2);
    await desk.submit(orderOf("reading", { accountId }));
    await expect(desk.submit(orderOf("reading", { accountId }))).rejects.toMatchObject({ status: 429 });
  });
});

test("no more slots for jobs are taken than there are, in all and of a kind, and all come back", () => {
  const kinds = ["image", "video", "speech", "asset"] as const;
  const count = fc.integer({ min: 0, max: 6 });
  const most = fc.record({ image: count, video: count, speech: count, asset: count });
  const move = fc.oneof(
    fc.record({ kinds: fc.subarray([...kinds], { minLength: 1 }), count: fc.integer({ min: 1, max: 3 }) }),
    fc.nat(20),
  );
  fc.assert(
    fc.property(count, most, fc.array(move, { maxLength: 60 }), (concurrency, atOnce, moves) => {
      const slots = new JobSlots({ concurrency, atOnce });
      const taken: { kinds: JobKind[]; count: number; leave: () => void }[] = [];
      const all = () => taken.reduce((sum, { count }) => sum + count, 0);
      const of = (kind: JobKind) =>
        taken.reduce((sum, { kinds, count }) => sum + (kinds.includes(kind) ? count : 0), 0);
      for (const one of moves) {
        if (typeof one === "number") {
          const [ended] = taken.splice(one % (taken.length || 1), 1);
          // The second call does nothing.
          for (const _ of [1, 2]) ended?.leave();
        } else {
          const fits = one.kinds.every((kind) => slots.room(kind) >= one.count);
          const leave = slots.take(one.kinds, one.count);
          expect(leave !== undefined).toBe(fits);
          if (leave) taken.push({ ...one, leave });
        }
        for (const kind of kinds)
          expect(slots.room(kind)).toBe(Math.min(concurrency - all(), atOnce[kind] - of(kind)));
      }
      for (const { leave } of taken) leave();
      for (const kind of kinds) expect(slots.room(kind)).toBe(Math.min(concurrency, atOnce[kind]));
    }),
  );
});
