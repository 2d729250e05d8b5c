import { defaultJobLimits } from "@manifold/gateway";
import type { Store } from "@manifold/store";
import { describe, expect, test } from "vitest";
import { newId, orderOf } from "./orders.ts";
import { databases, type Stage, useStage, worksOf } from "./stage.ts";

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

describe.each(databases)("%s", (_, make) => {
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
  ] as const)("a video given up that %s", async (_, name, steer, orphan) => {
    const { worker, mark, ref } = await begin(name, steer);
    await worker.accepted(ref);
    stage().clock.advance(HOUR);
    const job = await stage().finish(worker, ref);
    expect(job).toMatchObject({ state: "failed", orphan, error: { kind: "expired" } });
    expect(worksOf(stage(), mark)).toHaveLength(1);
    expect(await stage().store.money.audit()).toEqual([]);
    await worker.close();
  });

  test.each([
    ["before anything was sent", "sending", false],
    ["when the provider had it", "accepted", true],
  ] as const)("a job given up over a defect %s", async (_, at, orphan) => {
    const store = failing(stage(), (phase) => {
      if (phase !== at) return false;
      stage().clock.advance(HOUR);
      return true;
    });
    const { worker, ref } = await begin("video task", "", store);
    await worker.finished(ref);
    expect(await worker.get(ref)).toMatchObject({ state: "failed", orphan, error: { kind: "expired" } });
    await worker.close();
  });
});
