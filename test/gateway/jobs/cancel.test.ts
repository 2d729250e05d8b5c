import { describe, expect, test } from "vitest";
import type { Jobs } from "../../../packages/gateway/src/ports/jobs.ts";
import { bodyNames, newId, orderOf } from "./orders.ts";
import { databases, mediaJobsOf, useStage } from "./stage.ts";

const CREDIT = 1_000_000_000;

describe.each(databases)("cancelling jobs on %s", (_, make) => {
  const stage = useStage(make);

  const order = async (jobs: Jobs, name: (typeof bodyNames)[number], steer = "") => {
    const caller = await stage().caller(CREDIT);
    const mark = newId();
    const made = orderOf(name, caller, `A turtle ${mark}. ${steer}`);
    await jobs.submit(made);
    return { mark, ref: { id: made.id, accountId: caller.accountId } };
  };
  const isReleased = async ({ id, accountId }: { id: string; accountId: string }) => {
    const { store } = stage();
    expect(await store.accounts.get(accountId)).toMatchObject({ balance: CREDIT, held: 0 });
    expect(await store.generations.get({ id, accountId })).toMatchObject({ status: "cancelled", cost: 0 });
    expect(await store.money.audit()).toEqual([]);
  };

  test.each(bodyNames)(
    "%s that waits is never sent once cancelled, and its hold is given back",
    async (name) => {
      const desk = stage().worker({ limits: { ask: 1 } });
      const { ref, mark } = await order(desk, name);
      const waiting = desk.finished(ref);
      expect(await desk.cancel(ref)).toMatchObject({
        state: "cancelled",
        orphan: false,
        error: { kind: "cancelled" },
      });
      expect((await waiting).state).toBe("cancelled");
      await isReleased(ref);
      expect(await stage().objects.head(`asks/${ref.id}`)).toBeUndefined();
      const worker = stage().worker();
      worker.start();
      await worker.wake();
      expect(mediaJobsOf(stage(), mark)).toEqual([]);
      expect((await desk.cancel(ref))?.state).toBe("cancelled");
      await worker.close();
    },
  );

  test("a worker that is about to send a cancelled job does not send it", async () => {
    const { store } = stage();
    let cancelled = Promise.resolve<unknown>(undefined);
    const worker: Jobs = stage().worker({
      store: {
        ...store,
        jobs: {
          ...store.jobs,
          async note(ref, note) {
            if (note.phase === "sending") {
              cancelled = worker.cancel({ id: ref.id, accountId: ref.accountId ?? "" });
              await cancelled;
            }
            return store.jobs.note(ref, note);
          },
        },
      },
    });
    worker.start();
    const { ref, mark } = await order(worker, "image inline");
    await worker.wake();
    expect((await worker.get(ref))?.state).toBe("cancelled");
    expect(mediaJobsOf(stage(), mark)).toEqual([]);
    await isReleased(ref);
    await worker.close();
  });

  test("a video that waits is cancelled at a provider that can stop it", async () => {
    const worker = stage().worker();
    worker.start();
    const { ref, mark } = await order(worker, "video task", "[[outcome:queued=50]]");
    await worker.accepted(ref);
    expect((await worker.cancel(ref))?.state).toBe("queued");
    expect((await stage().finish(worker, ref)).state).toBe("cancelled");
    expect(mediaJobsOf(stage(), mark)).toMatchObject([{ state: "cancelled" }]);
    await isReleased(ref);
    await worker.close();
  });

  test.each(["video task", "video operation"] as const)(
    "a %s that cannot be stopped any more goes on, and is paid for",
    async (name) => {
      const worker = stage().worker();
      worker.start();
      const { ref } = await order(worker, name, "[[outcome:queued=0,running=3]]");
      await worker.accepted(ref);
      stage().clock.advance(10_000);
      await worker.wake();
      await worker.cancel(ref);
      expect((await stage().finish(worker, ref)).state).toBe("succeeded");
      expect((await worker.cancel(ref))?.state).toBe("succeeded");
      expect((await stage().store.generations.get(ref))?.cost).toBeGreaterThan(0);
      expect(await stage().store.money.audit()).toEqual([]);
      await worker.close();
    },
  );

  test("a job of another account cannot be cancelled", async () => {
    const desk = stage().worker();
    const { ref } = await order(desk, "reading");
    const { accountId } = await stage().caller();
    expect(await desk.cancel({ ...ref, accountId })).toBeUndefined();
    expect((await desk.get(ref))?.state).toBe("queued");
    await desk.cancel(ref);
  });
});
