import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makePostgres } from "../databases/postgres.ts";
import { makeSqlite } from "../databases/sqlite.ts";
import { makeCaller } from "../fixtures.ts";

describe.each([
  ["sqlite", makeSqlite],
  ["postgres", makePostgres],
] as const)("the queue of jobs on %s", (_, make) => {
  it("the queue of jobs knows the number of live jobs and the age of the oldest", async () => {
    const database = await make();
    const store = await database.open();
    try {
      expect(await store.jobs.depth()).toEqual([]);
      const { accountId } = await makeCaller(store, { credit: 1 });
      const job = fc.record({ at: fc.integer({ min: 1, max: 2 ** 42 }), ends: fc.boolean() });
      let count = 0;
      let oldest = Number.POSITIVE_INFINITY;
      for (const [index, { at, ends }] of fc.sample(job, { numRuns: 20, seed: 7 }).entries()) {
        const id = `job-${index}`;
        const lease = { owner: "worker", until: 2 ** 43 };
        const order = { id, kind: "asset", accountId, model: "", deadline: 2 ** 43, at, lease } as const;
        await store.jobs.create(order, { most: 100 });
        if (ends) await store.jobs.finish({ id, owner: "worker", attempt: 1 }, { at, state: "failed" });
        else [count, oldest] = [count + 1, Math.min(oldest, at)];
      }
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThan(20);
      expect(await store.jobs.depth()).toEqual([{ kind: "asset", state: "queued", count, oldest }]);
    } finally {
      await store.close();
      await database.drop();
    }
  });
});
