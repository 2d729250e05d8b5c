import { expect, it } from "vitest";
import type { Contest } from "../child.ts";
import { makeCaller } from "../fixtures.ts";
import { startChild } from "../processes.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const CHILDREN = 3;
const AMOUNT = 7;
/** Not a multiple of the amount, so that what fits, what is over and what is left are three numbers. */
const LIMIT = 500;
const FITS = Math.floor(LIMIT / AMOUNT);

export const processes: Context = (database) => {
  const store = useStore(database);

  it("processes share one cap and one balance: nothing above the policy, no refusal of what it admits", async () => {
    const capped = { caps: { total: LIMIT } };
    const paid = { credit: LIMIT };
    const contests: Contest[] = [];
    for (const options of [capped, paid])
      for (const policy of ["strict", "threshold"] as const)
        contests.push({ ...(await makeCaller(store(), options)), amount: AMOUNT, policy });

    const children = await Promise.all(
      Array.from({ length: CHILDREN }, () => startChild(database(), "spend", contests)),
    );
    const reports = children.map(async ({ lines, ended }) => {
      const admitted: number[] = [];
      for await (const line of lines) admitted.push(Number(line.split(" ")[1]));
      await ended();
      return admitted;
    });
    for (const { start } of children) start();
    const admitted = await Promise.all(reports);

    const totals = contests.map((_, n) => admitted.reduce((sum, of) => sum + of[n]!, 0));
    expect(totals).toEqual([FITS, FITS + 1, FITS, FITS + 1]);
    for (const { accountId } of contests) expect((await store().accounts.get(accountId))?.held).toBe(0);
    const spent = await store().money.capStatus(contests[1]!.keyId, Date.now());
    expect(spent.total).toEqual({ limit: LIMIT, spent: (FITS + 1) * AMOUNT, remaining: 0 });
    expect((await store().accounts.get(contests[2]!.accountId))?.balance).toBe(LIMIT - FITS * AMOUNT);
    expect(await store().money.audit()).toEqual([]);
  });

  it("processes may be killed at any instruction, also during recovery: a confirmed settlement stays", async () => {
    const caller = await makeCaller(store(), { credit: 1_000_000_000, caps: { total: 900_000_000 } });
    const settled: string[] = [];
    for (const lineOfDeath of [1, 40, 133]) {
      const child = await startChild(database(), "work", caller);
      child.start();
      let seen = 0;
      for await (const line of child.lines) {
        settled.push(line.split(" ")[1]!);
        if (++seen === lineOfDeath) await child.kill();
      }
      const recoverer = await startChild(database(), "recover", null);
      recoverer.start();
      for await (const _ of recoverer.lines) await recoverer.kill();
    }

    await store().money.recover(Date.now() + 60_000);
    expect(await store().money.audit()).toEqual([]);
    expect((await store().accounts.get(caller.accountId))?.held).toBe(0);
    const { accountId } = caller;
    const pending = await store().generations.list({ accountId, status: "pending" }, { offset: 0, limit: 1 });
    expect(pending.total).toBe(0);
    expect(settled.length).toBeGreaterThanOrEqual(1 + 40 + 133);
    for (const id of settled)
      expect(await store().generations.get({ id, accountId })).toMatchObject({
        cost: 7,
        status: "succeeded",
      });
  });
};
