import type { GenerationFilter, Outcome, Rank } from "@manifold-gateway/store";
import { beforeAll, expect, it } from "vitest";
import { makeCaller, makeKey, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

interface Made {
  id: string;
  account: number;
  key: number;
  model: string;
  status: Outcome;
  at: number;
  cost: number;
  durationMs: number;
  tokens: number;
  route: Record<string, unknown>;
}

const MODELS = ["swift", "brush", "voice"];
const STATUSES = ["succeeded", "failed", "aborted"] as const;
const HOUR = 3_600_000;

/** Records with every combination of the values that filters are about, some of the same moment. */
const made: Made[] = Array.from({ length: 60 }, (_, n) => ({
  id: `f${String(n).padStart(2, "0")}`,
  account: n % 2,
  key: n % 4,
  model: MODELS[n % 3]!,
  status: STATUSES[(n >> 1) % 3]!,
  at: NOW + Math.floor(n / 2) * HOUR,
  cost: (n * 37) % 50,
  durationMs: (n * 53) % 400,
  tokens: (n * 71) % 90,
  route: {
    requestId: n % 20 > 16 ? `of_${n % 2}/${n}` : `req-${n % 20}`,
    translated: n % 5 === 0,
    ...(n % 7 === 0 && { losses: [{ path: "top_k", why: "unsupported" }] }),
    ...(n % 11 === 0 && { replyLosses: [{ path: "seal", why: "unsupported" }] }),
  },
}));

const isLossy = ({ route }: Made): boolean => "losses" in route || "replyLosses" in route;

export const generationFilters: Context = (database) => {
  const store = useStore(database);
  let accounts: string[];
  let keys: string[];
  beforeAll(async () => {
    const callers = [await makeCaller(store()), await makeCaller(store())];
    accounts = callers.map(({ accountId }) => accountId);
    const more = await Promise.all(accounts.map((account) => makeKey(store(), account)));
    keys = [...callers.map(({ keyId }) => keyId), ...more];
    const make = async ({ id, account, key, model, status, at, cost, durationMs, tokens, route }: Made) => {
      const caller = { accountId: accounts[account]!, keyId: keys[key]! };
      const { generation, ...rest } = makeReservation(caller, 5, { at });
      await store().money.reserve({ ...rest, generation: { ...generation, id, model } });
      await store().money.settle({ id, cost, status, durationMs, usage: { totalTokens: tokens }, route });
    };
    await Promise.all(made.map(make));
  });

  const filters: [string, () => GenerationFilter, (one: Made) => boolean][] = [
    ["several keys", () => ({ keyId: [keys[0]!, keys[3]!] }), ({ key }) => key === 0 || key === 3],
    ["several models", () => ({ model: ["swift", "voice"] }), ({ model }) => model !== "brush"],
    ["several statuses", () => ({ status: ["failed", "aborted"] }), ({ status }) => status !== "succeeded"],
    ["a least cost", () => ({ minCost: 20 }), ({ cost }) => cost >= 20],
    ["a least duration", () => ({ minDuration: 200 }), ({ durationMs }) => durationMs >= 200],
    ["losses", () => ({ hasLosses: true }), isLossy],
    ["no losses", () => ({ hasLosses: false }), (one) => !isLossy(one)],
    ["a translation", () => ({ isTranslated: true }), ({ route }) => route.translated === true],
    ["no translation", () => ({ isTranslated: false }), ({ route }) => route.translated !== true],
    ["a batch", () => ({ batch: "of_0" }), ({ route }) => String(route.requestId).startsWith("of_0/")],
    ["a request", () => ({ requestId: "req-4" }), ({ route }) => route.requestId === "req-4"],
    [
      "several conditions at once",
      () => ({ model: ["swift", "brush"], minCost: 10, isTranslated: false, from: NOW + 5 * HOUR }),
      ({ model, cost, route, at }) =>
        model !== "voice" && cost >= 10 && route.translated !== true && at >= NOW + 5 * HOUR,
    ],
  ];
  const whose = ["one account", "all accounts"] as const;
  const cases = filters.flatMap(([name, filter, isMatch]) =>
    whose.map((of) => [name, of, filter, isMatch] as const),
  );
  const newest = (a: Made, b: Made): number => b.at - a.at || (a.id < b.id ? 1 : -1);

  it.each(cases)(
    "generations with %s of %s are listed, counted, added up and ranked alike",
    async (...of) => {
      const [, who, filter, isMatch] = of;
      const isOne = who === "one account";
      // Other contexts of this store have accounts of their own.
      const chosen = { ...filter(), accountId: isOne ? accounts[0]! : accounts };
      const wanted = made.filter((one) => isMatch(one) && (!isOne || one.account === 0)).sort(newest);
      expect(wanted.length).toBeGreaterThan(0);
      const { generations } = store();
      const pages: string[] = [];
      for (let after: { createdAt: number; id: string } | undefined; ; ) {
        const page = { limit: 3, isWithRequest: false, ...(after && { after }) };
        const rows = await generations.after(chosen, page);
        pages.push(...rows.map(({ id }) => id));
        if (rows.length < page.limit) break;
        after = rows.at(-1);
      }
      expect(pages).toEqual(wanted.map(({ id }) => id));
      expect(await generations.count(chosen)).toBe(wanted.length);
      const durations = wanted.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
      expect(await generations.totals(chosen)).toEqual({
        requests: wanted.length,
        failed: wanted.filter(({ status }) => status === "failed").length,
        cost: wanted.reduce((sum, { cost }) => sum + cost, 0),
        p50Ms: durations[Math.ceil(durations.length * 0.5) - 1],
        p95Ms: durations[Math.ceil(durations.length * 0.95) - 1],
      });
      const values: Record<Rank, (one: Made) => number> = {
        cost: ({ cost }) => cost,
        duration: ({ durationMs }) => durationMs,
        tokens: ({ tokens }) => tokens,
      };
      for (const by of ["cost", "duration", "tokens"] as const) {
        const sorted = wanted.toSorted((a, b) => values[by](b) - values[by](a) || newest(a, b));
        const { results, since } = await generations.ranked(chosen, { by, offset: 2, limit: 5 });
        expect([by, results.map(({ id }) => id)]).toEqual([by, sorted.slice(2, 7).map(({ id }) => id)]);
        expect(since).toBeUndefined();
      }
    },
  );

  it("sums of hours follow a filter of several values as the records do", async () => {
    const range = { from: NOW - (NOW % HOUR), to: NOW + 100 * HOUR, accountId: accounts[0]! };
    const chosen = { ...range, model: ["swift", "brush"], status: ["failed", "aborted"] as const };
    const { requests, cost } = await store().generations.totals(chosen);
    expect(requests).toBeGreaterThan(0);
    expect(await store().usage.series(chosen, {})).toMatchObject([{ requests, cost }]);
  });

  it("generations without an account are those of all accounts", async () => {
    const found = await store().generations.after({ requestId: "req-3" }, { limit: 9, isWithRequest: false });
    expect(found.map(({ id }) => id)).toEqual(["f43", "f23", "f03"]);
  });

  it("a search that may not compare all generations ends with the newest", async () => {
    const page = { limit: 9, isWithRequest: false, compared: 2 };
    const found = await store().generations.after({ accountId: accounts[0]!, requestId: "req-0" }, page);
    // The oldest is 30 hours away from the newest, and two records are compared after two hours.
    expect(found.map(({ id }) => id)).not.toContain("f00");
  });
};
