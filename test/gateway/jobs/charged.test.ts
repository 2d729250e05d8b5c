import { describe, expect, test } from "vitest";
import { bodies, bodyNames, newId, orderOf } from "./orders.ts";
import { databases, useStage } from "./stage.ts";

/** The speech wire answers a failure with codes of its own, whatever the status. */
const names = bodyNames.filter((name) => bodies[name]("").kind !== "speech");
const rows = (...statuses: number[]) =>
  names.flatMap((name) => statuses.map((status) => [name, status] as const));

describe.each(databases)("doubtful submissions on %s", (_, make) => {
  const stage = useStage(make);

  const submit = async (name: (typeof bodyNames)[number], steer: string) => {
    const caller = await stage().caller();
    const worker = stage().worker();
    worker.start();
    const mark = newId();
    const order = orderOf(name, caller, `A turtle ${mark}. ${steer}`);
    await worker.submit(order);
    const job = await stage().finish(worker, { id: order.id, accountId: caller.accountId });
    await worker.close();
    const calls = stage().simulator.ledger.entries.filter((entry) => JSON.stringify(entry).includes(mark));
    return { job, calls: calls.length };
  };

  test.each([["image inline", 408] as const, ...rows(500, 502)])(
    "%s that was answered %i may have been done: it is not sent again, and is reported",
    async (name, status) => {
      const { job, calls } = await submit(name, `[[fault:status=${status},times=1]]`);
      expect(job).toMatchObject({ state: "failed", orphan: true, error: { kind: "unavailable", status } });
      expect(calls).toBe(1);
    },
  );

  test.each(rows(429, 503))("%s that was turned away with %i is sent again", async (name, status) => {
    const { job, calls } = await submit(name, `[[fault:status=${status},times=1]]`);
    expect(job).toMatchObject({ state: "succeeded", orphan: false });
    expect(calls).toBeGreaterThan(1);
  });
});
