import { ReadableStream } from "node:stream/web";
import type { GuardedFetch } from "@manifold-gateway/providers";
import { sampleNamed } from "@manifold-gateway/simulator";
import type { Store } from "@manifold-gateway/store";
import { describe, expect, test } from "vitest";
import { defaultJobLimits } from "../../../packages/gateway/src/jobs/limits.ts";
import { newId, orderOf } from "./orders.ts";
import { allDatabases, mediaJobsOf, type Stage, useStage } from "./stage.ts";

const PICTURE = sampleNamed("640x480.png")!.bytes;
const HOUR = defaultJobLimits.deadline.video;

/** A store that fails at what `isIt` says of, as a defect would. */
const failing = ({ store }: Stage, isIt: (phase: string | undefined) => boolean): Store => ({
  ...store,
  jobs: {
    ...store.jobs,
    async note(ref, note) {
      if (!isIt(note.phase)) return store.jobs.note(ref, note);
      throw new Error("a defect");
    },
  },
});

describe.each(allDatabases)("late ends of jobs on %s", (_, make) => {
  const stage = useStage(make);

  const begin = async (...[name, steer, store]: [Parameters<typeof orderOf>[0], string, Store?]) => {
    const caller = await stage().caller();
    const worker = stage().worker(store && { store });
    worker.start();
    const mark = newId();
    const order = orderOf(name, caller, `A turtle ${mark}. ${steer}`);
    await worker.submit(order);
    return { worker, mark, ref: { id: order.id, accountId: caller.accountId } };
  };

  test.each([
    ["goes on at a provider that cannot stop", "video behind a router", "[[outcome:queued=1000]]", true],
    [
      "goes on at a provider that does not stop it any more",
      "video task",
      "[[outcome:queued=0,running=1000]]",
      true,
    ],
    ["was stopped at its provider", "video task", "[[outcome:queued=1000]]", false],
  ] as const)(
    "an expired video is an orphan only while its provider may go on: one that %s",
    async (_, name, steer, orphan) => {
      const { worker, mark, ref } = await begin(name, steer);
      await worker.accepted(ref);
      stage().clock.sleep(HOUR);
      const job = await stage().finish(worker, ref);
      expect(job).toMatchObject({ state: "failed", orphan, error: { kind: "expired" } });
      expect(mediaJobsOf(stage(), mark)).toHaveLength(1);
      expect(await stage().store.money.audit()).toEqual([]);
      await worker.close();
    },
  );

  test.each([
    ["before anything was sent", "sending", false],
    ["when the provider had it", "accepted", true],
  ] as const)(
    "a job that expires over a defect %s is an orphan only if the provider has it",
    async (_, at, orphan) => {
      const store = failing(stage(), (phase) => {
        if (phase !== at) return false;
        stage().clock.advance(HOUR);
        return true;
      });
      const { worker, ref } = await begin("video task", "", store);
      await worker.finished(ref);
      expect(await worker.get(ref)).toMatchObject({ state: "failed", orphan, error: { kind: "expired" } });
      await worker.close();
    },
  );

  test("a submission that never returns is given up after the deadline, and reported", async () => {
    const { worker, mark, ref } = await begin("image inline", "[[fault:stall=500000]]");
    await expect.poll(() => mediaJobsOf(stage(), mark)).toHaveLength(1);
    stage().clock.advance(2 * defaultJobLimits.deadline.image);
    const job = await worker.finished(ref);
    expect(job).toMatchObject({ state: "failed", orphan: true, error: { kind: "unavailable" } });
    expect(mediaJobsOf(stage(), mark)).toHaveLength(1);
    await worker.close();
  });

  test("an output that trickles in is given up after the deadline", async () => {
    const caller = await stage().caller();
    let begun = () => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const fetch: GuardedFetch = async (_, { signal }) => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue(PICTURE);
          signal?.addEventListener("abort", () => controller.error(signal.reason));
          begun();
        },
      }),
    });
    const worker = stage().worker({ fetch });
    worker.start();
    const order = orderOf("image by address", caller);
    await worker.submit(order);
    await isBegun;
    stage().clock.advance(3 * defaultJobLimits.deadline.image);
    const ref = { id: order.id, accountId: caller.accountId };
    expect(await worker.finished(ref)).toMatchObject({ state: "failed", error: { message: /stored/ } });
    expect((await stage().store.accounts.get(caller.accountId))?.held).toBe(0);
    await worker.close();
  });
});
