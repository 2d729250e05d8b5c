import type { RecordOptions, Store } from "@manifold-gateway/store";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { makeCaller, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const refusals: Context = (database) => {
  let store: Store | undefined;
  afterEach(() => store?.close());
  const open = async (records: Partial<RecordOptions> = {}): Promise<Store> => {
    store = await database().open({ records });
    return store;
  };
  const refused = (
    accountId: string,
    more: { at?: number; code?: string; keyId?: string; request?: string } = {},
  ) => ({
    ...{ accountId, at: NOW, code: "model_not_found", status: 404, sentence: "There is no model 'x'." },
    ...{ surface: "chatstyle", model: "x", request: "r" },
    ...more,
  });

  const asked = fc.array(
    fc.record({
      who: fc.nat(1),
      ago: fc.integer({ min: 0, max: 5 * HOUR }),
      code: fc.constantFrom("model_not_found", "invalid_request"),
      keyId: fc.constantFrom("k1", "k2"),
      request: fc.constantFrom("r1", "r2", "r3"),
    }),
    { maxLength: 30 },
  );

  it("every refused request is counted and listed once, and pages and filters find exactly those that match", async () => {
    const one = await open();
    const other = await database().open();
    await fc.assert(
      fc.asyncProperty(asked, fc.integer({ min: 1, max: 7 }), async (made, limit) => {
        const callers = await Promise.all([makeCaller(one), makeCaller(one)]);
        const all = made.map(({ who, ago, ...rest }) =>
          refused(callers[who]!.accountId, { ...rest, at: NOW - ago }),
        );
        for (const [at, request] of all.entries()) (at % 2 ? one : other).refusals.note(request);
        await other.refusals.list({}, { limit: 1 });
        for (const { accountId } of callers) {
          const mine = all.filter((request) => request.accountId === accountId);
          const found = [];
          for (let before: string | undefined; ; ) {
            const page = await one.refusals.list({ accountId }, { limit, ...(before && { before }) });
            found.push(...page);
            if (page.length < limit) break;
            before = page.at(-1)!.id;
          }
          expect(found.map(({ at }) => at)).toEqual(mine.map(({ at }) => at).sort((a, b) => b - a));
          expect(new Set(found.map(({ id }) => id)).size).toBe(mine.length);
          for (const filter of [
            { keyId: "k1" },
            { code: "invalid_request" },
            { request: "r2" },
            { model: "x", surface: "chatstyle" },
            { keyId: ["k1", "k2"] },
            { from: NOW - HOUR },
            { to: NOW - HOUR },
          ]) {
            const matches = mine.filter(({ at, ...request }) =>
              Object.entries(filter).every(([name, value]) =>
                name === "from"
                  ? at >= Number(value)
                  : name === "to"
                    ? at < Number(value)
                    : [value].flat().includes(request[name as "code"] as never),
              ),
            );
            const rows = await one.refusals.list({ accountId, ...filter }, { limit: 100 });
            expect(rows).toHaveLength(matches.length);
          }
          const counts = await one.refusals.counts({ accountId });
          expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(mine.length);
          for (const { hour, keyId, code, count } of counts)
            expect(count).toBe(
              mine.filter(
                (request) =>
                  request.keyId === keyId &&
                  request.code === code &&
                  Math.floor(request.at / HOUR) * HOUR === hour,
              ).length,
            );
          const range = { accountId, from: NOW - 10 * HOUR, to: NOW + HOUR };
          const series = one.usage.series;
          for (const [filter, by] of [
            [{}, undefined],
            [{ keyId: "k1" }, "key"],
            [{ status: "refused" }, "status"],
            [{ status: ["failed", "refused"] }, "account"],
          ] as const) {
            const ofKey = mine.filter(({ keyId }) => !("keyId" in filter) || keyId === filter.keyId);
            const points = await series({ ...range, ...filter }, { bucket: "hour", ...(by && { by }) });
            expect(points.reduce((sum, { refused = 0 }) => sum + refused, 0)).toBe(ofKey.length);
            for (const { at, requests, refused } of points) {
              expect(requests).toBe(0);
              expect(refused).toBe(ofKey.filter((one) => Math.floor(one.at / HOUR) * HOUR === at).length);
            }
          }
          expect(await series({ ...range, status: "failed" }, {})).toEqual([]);
          expect(await series({ ...range, status: "refused", model: "x" }, {})).toEqual([]);
        }
      }),
      { numRuns: 4 },
    );
    await other.close();
  });

  it("an account keeps its last thousand, whichever process received them, and all are counted", async () => {
    const one = await open();
    const other = await database().open();
    const [{ accountId }, quiet] = [await makeCaller(one), await makeCaller(one)];
    one.refusals.note(refused(quiet.accountId, { at: NOW - DAY }));
    for (let n = 0; n < 2_600; n++)
      (n % 2 ? one : other).refusals.note(refused(accountId, { at: NOW + n, request: `r${n}` }));
    await other.close();
    const found = await one.refusals.list({ accountId }, { limit: 5_000 });
    expect(found).toHaveLength(1_000);
    expect(found.at(-1)?.request).toBe("r1600");
    expect(found[0]?.request).toBe("r2599");
    const [counted] = await one.refusals.counts({ accountId });
    expect(counted?.count).toBe(2_600);
    expect(await one.refusals.list({ accountId: quiet.accountId }, { limit: 5 })).toHaveLength(1);
  });

  it("an option keeps no sentences, and the sweep deletes requests before their counts", async () => {
    const one = await open({ requests: "none", days: 30 });
    const { accountId } = await makeCaller(one);
    for (const ago of [0, 29, 31, 399, 401]) one.refusals.note(refused(accountId, { at: NOW - ago * DAY }));
    const all = await one.refusals.list({ accountId }, { limit: 9 });
    expect(all).toHaveLength(5);
    expect(all[0]).not.toHaveProperty("sentence");
    await one.refusals.expire(NOW);
    expect(await one.refusals.list({ accountId }, { limit: 9 })).toHaveLength(2);
    expect(await one.refusals.counts({ accountId, to: NOW + DAY })).toHaveLength(4);
  });
};
