import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useDatabases } from "./databases.ts";
import { type Desk, openDesk } from "./desk.ts";

const USAGE = "/api/compat/v1/usage";
const ALL = "/api/admin/generations";
const OWN_ID = "019ab000000000000000000000000001";
type Row = { id: string; accountName?: string; requestId?: string };

describe.each(useDatabases())("searching the records of requests on $name", ({ make }) => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ make });
    const { store } = desk;
    await store.accounts.ensure({ id: "other", name: "Other", at: desk.now() });
    const credit = { amount: 1_000_000, kind: "topup" as const, reference: "x", at: desk.now() };
    await store.accounts.credit({ accountId: "other", ...credit });
    for (let n = 0; n < 12; n++) {
      const id = `g${String(n).padStart(2, "0")}`;
      const accountId = n % 3 === 2 ? "other" : "acc";
      const model = `m${n % 2}`;
      const generation = { id, accountId, modality: "text" as const, model };
      await store.money.reserve({ generation, amount: 100_000, at: desk.now(), policy: "threshold" });
      await store.money.settle({
        id,
        cost: ((n * 7) % 12) * 10_000,
        status: n === 4 ? "failed" : "succeeded",
        durationMs: ((n * 5) % 12) * 100,
        usage: { totalTokens: n },
        route: {
          ...(n < 9 ? { provider: "acme", entry: "e1" } : { provider: "yard", entry: "e2" }),
          name: "native",
          speed: { firstTokenMs: 100 * n },
          requestId: n === 1 ? OWN_ID : `mail ${n}`,
          translated: n < 2,
        },
      });
      desk.pass(1_000);
    }
  });
  afterAll(() => desk.close());

  const ids = ({ body }: { body: { results: Row[] } }) => body.results.map(({ id }) => id);

  it("an account sorts its records by cost, duration and tokens, in pages", async () => {
    const sorted = async (query: string) => ids(await desk.byKey(`${USAGE}?${query}`));
    expect(await sorted("sort=cost&limit=3")).toEqual(["g10", "g03", "g01"]);
    expect(await sorted("sort=cost&limit=3&offset=1")).toEqual(["g03", "g01", "g06"]);
    expect(await sorted("sort=duration&limit=2")).toEqual(["g07", "g09"]);
    expect(await sorted("sort=tokens&limit=2&model=m0")).toEqual(["g10", "g06"]);
    const refused = await desk.byKey(`${USAGE}?sort=cost&after=0`);
    expect([refused.status, refused.body.errors[0]]).toEqual([400, expect.stringMatching(/^after: /)]);
  });

  it.each([
    ["model=m0,m1&status=failed,aborted", ["g04"]],
    ["minCost=0.09", ["g10", "g03"]],
    ["minDuration=1000", ["g07"]],
    ["translated=true", ["g01", "g00"]],
    ["translated=false&minCost=0.06", ["g10", "g06", "g03"]],
    ["losses=true", []],
    [`requestId=${OWN_ID}`, ["g01"]],
  ])("records, their number and their totals follow the filter %s", async (query, expected) => {
    expect(ids(await desk.byKey(`${USAGE}?after=0&${query}`))).toEqual(expected);
    expect((await desk.byKey(`${USAGE}/count?${query}`)).body).toEqual({ total: expected.length });
    const { text } = await desk.byKey(`${USAGE}/export?format=jsonl&${query}`);
    const rows = text.split("\n").filter((line) => line !== "");
    const exported = rows.map((line) => JSON.parse(line) as { id: string; usdCost: number });
    expect(exported.map(({ id }) => id)).toEqual(expected);
    const microCost = exported.reduce((sum, { usdCost }) => sum + Math.round(usdCost * 1e6), 0);
    expect((await desk.byKey(`${USAGE}/totals?${query}`)).body).toMatchObject({
      ...{ requests: expected.length, microCost },
    });
  });

  it.each(["status=failed,late", "minCost=much", "minDuration=1.5", "losses=some", "sort=model"])(
    "a filter %s is refused by its name",
    async (query) => {
      const { status, body } = await desk.byKey(`${USAGE}?${query}`);
      expect([status, body.errors[0].split(":")[0]]).toEqual([400, query.split("=")[0]]);
    },
  );

  it("a record has what was held, and its movements the balance before and after", async () => {
    const { body: ledger } = await desk.byKey("/api/compat/v1/ledger?limit=100");
    const byId = new Map(ledger.results.map((one: { id: string }) => [one.id, one]));
    for (const id of ["g03", "g10"]) {
      const { body } = await desk.byKey(`${USAGE}/${id}`);
      expect(body).toMatchObject({ microHeld: 100_000, isLeased: false, microCost: expect.any(Number) });
      const moved = await desk.byKey(`${USAGE}/${id}/movements`);
      expect(moved.body.results).toEqual([byId.get(`charge:${id}`)]);
      expect(moved.body.results).toMatchObject([{ amount: -body.usdCost, balance: expect.any(Number) }]);
      expect((await desk.byAdmin("GET", `${ALL}/${id}/movements`)).body).toEqual(moved.body);
    }
    expect((await desk.byKey(`${USAGE}/g02/movements`)).status).toBe(404);
    expect((await desk.byAdmin("GET", `${ALL}/g02/movements`)).body.results).toHaveLength(1);
    const { body: account } = await desk.byKey("/api/compat/v1/balance");
    expect(ledger.results[0].balance).toBe(account.creditBalance);
  });

  it("operators list and sort the records of all accounts, with the accounts' names", async () => {
    const all = await desk.byAdmin("GET", `${ALL}?limit=100`);
    expect(ids(all)).toEqual(Array.from({ length: 12 }, (_, n) => `g${String(11 - n).padStart(2, "0")}`));
    expect(all.body.results.slice(0, 2)).toMatchObject([
      { userId: "other", accountName: "Other", provider: "yard" },
      { userId: "acc", accountName: "Ada" },
    ]);
    const [first, second] = [
      await desk.byAdmin("GET", `${ALL}?limit=5&minCost=0.03`),
      await desk.byAdmin("GET", `${ALL}?limit=5&minCost=0.03&before=g06`),
    ];
    expect([ids(first), first.body.next]).toEqual([["g11", "g10", "g09", "g08", "g06"], "g06"]);
    expect(ids(second)).toEqual(["g05", "g04", "g03", "g01"]);
    expect(ids(await desk.byAdmin("GET", `${ALL}?sort=cost&limit=2&account=other`))).toEqual(["g05", "g08"]);
    const { body } = await desk.byAdmin("GET", `${ALL}/totals?minCost=0.03`);
    expect(body).toMatchObject({ requests: 9, failed: 1 });
    const summed = await desk.byAdmin("GET", `${ALL}/totals`);
    expect(summed.body).toMatchObject({ requests: 12, failed: 1, usdCost: 0.66 });
    expect(ids(await desk.byAdmin("GET", `${ALL}?provider=yard&limit=9`))).toEqual(["g11", "g10", "g09"]);
  });

  it("operators sum the requests of each provider, also of one that is no longer configured", async () => {
    const series = async (query: string) =>
      (await desk.byAdmin("GET", `/api/admin/usage/series?measure=requests&${query}`)).body;
    const { total, series: providers } = await series("by=provider");
    expect(providers).toMatchObject([
      { name: "acme", total: { requests: 9, failed: 1 } },
      { name: "yard", total: { requests: 3, failed: 0, p95FirstMs: 1_100 } },
    ]);
    expect(total).toMatchObject({ requests: 12, p50Ms: 503 });
    expect((await series("provider=yard&by=entry")).series).toMatchObject([
      { name: "e2", served: { provider: "yard", name: "native" }, total: { requests: 3 } },
    ]);
    expect((await series("provider=none")).series).toEqual([]);
    expect((await desk.byKey("/api/compat/v1/usage/series?by=provider")).status).toBe(400);
  });

  it("an id leads to what it belongs to: a generation, a request, a key, an account", async () => {
    const found = async (q: string) =>
      (await desk.byKey(`/api/compat/v1/find?q=${encodeURIComponent(q)}`)).body.results;
    expect(await found("g03")).toMatchObject([{ kind: "generation", id: "g03", path: `${USAGE}/g03` }]);
    expect(await found("mail 3")).toMatchObject([{ kind: "request", id: "g03", path: `${USAGE}/g03` }]);
    expect(await found("key")).toMatchObject([{ kind: "key", id: "key", name: "laptop" }]);
    expect(await found("Laptop")).toMatchObject([{ kind: "key", id: "key" }]);
    expect(await found("g02")).toEqual([]);
    expect(await found("mail 2")).toEqual([]);
    const any = async (q: string) =>
      (await desk.byAdmin("GET", `/api/admin/find?q=${encodeURIComponent(q)}`)).body.results;
    expect(await any("mail 2")).toMatchObject([{ kind: "request", id: "g02", accountId: "other" }]);
    expect(await any("other")).toMatchObject([{ kind: "account", id: "other", name: "Other" }]);
    for (const { path } of [...(await any("other")), ...(await any("g02"))])
      expect((await desk.byAdmin("GET", path)).status).toBe(200);
    for (const { path } of [...(await found("g03")), ...(await found("key"))])
      expect((await desk.bySession("GET", path)).status).toBe(200);
  });

  it("a request of the service's own id is looked for at the time that the id has", async () => {
    // The record is of another time than its id says, so that only the filter for ids finds it.
    const { body } = await desk.byKey(`/api/compat/v1/find?q=${OWN_ID}`);
    expect(body.results).toEqual([]);
  });
});
