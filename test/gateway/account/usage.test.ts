import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useDatabases } from "./databases.ts";
import { type Desk, generate, NOON, openDesk } from "./desk.ts";

describe.each(useDatabases())("usage and balance on $name", ({ make }) => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ make });
    await generate(desk, "g1");
    desk.pass(1_000);
    await generate(desk, "g2", { model: "=m2", status: "failed" });
    desk.pass(1_000);
    await generate(desk, "g3", { model: "m3" });
    await desk.store.accounts.ensure({ id: "other", name: "Other", at: NOON });
    await desk.store.accounts.credit({
      accountId: "other",
      amount: 500,
      kind: "topup",
      reference: "x",
      at: NOON,
    });
    await desk.store.keys.create({
      id: "foreign",
      accountId: "other",
      name: "x",
      prefix: "x",
      hash: "x",
      at: NOON,
    });
    await generate(desk, "g4", { accountId: "other", keyId: "foreign" });
  });
  afterAll(() => desk.close());

  const USAGE = "/api/compat/v1/usage";
  const ids = async (query: string) =>
    (await desk.byKey(`${USAGE}${query}`)).body.results.map(({ id }: { id: string }) => id);

  describe("usage", () => {
    it("usage lists the records of the caller's account, newest first, in the documented shape", async () => {
      const { status, body } = await desk.byKey(USAGE);
      expect(status).toBe(200);
      expect(body).toMatchObject({ total: 3, offset: 0, limit: 20 });
      expect(body.results.map(({ id }: { id: string }) => id)).toEqual(["g3", "g2", "g1"]);
      expect(body.results[2]).toEqual({
        id: "g1",
        userId: "acc",
        apiKeyId: "key",
        modality: "text",
        model: "m1",
        status: "succeeded",
        request: { model: "m1", messages: [] },
        usage: { promptTokens: 10, completionTokens: 10, totalTokens: 20, details: { cacheRead: 4 } },
        usdCost: 0.00003,
        durationMs: 12,
        createdAt: "2026-11-21T12:00:00.000Z",
      });
      expect(body.results[1]).toMatchObject({ status: "failed", usdCost: 0 });
    });

    it("usage answers a session as it answers a key", async () => {
      expect((await desk.bySession("GET", USAGE)).body).toEqual((await desk.byKey(USAGE)).body);
    });

    it.each([
      ["?offset=1&limit=1", ["g2"]],
      ["?offset=9", []],
      ["?status=failed", ["g2"]],
      ["?model=m3", ["g3"]],
      ["?modality=image", []],
      ["?key=key&limit=2", ["g3", "g2"]],
      ["?key=foreign", []],
      ["?from=2026-11-21T12:00:01Z", ["g3", "g2"]],
      ["?from=2026-11-21T12:00:01Z&to=2026-11-21T12:00:02Z", ["g2"]],
      ["?to=2026-11-21", []],
    ])("usage filters and pages by %s", async (query, expected) => {
      expect(await ids(query)).toEqual(expected);
    });

    it.each([
      ["limit=0", "limit"],
      ["limit=101", "limit"],
      ["limit=", "limit"],
      ["limit=1.5", "limit"],
      ["offset=-1", "offset"],
      ["offset=10000001", "offset"],
      ["offset=1e3", "offset"],
      ["modality=smell", "modality"],
      ["status=pending", "status"],
      ["from=yesterday", "from"],
      ["format=xml", "format"],
      ["request=no", "request"],
      ["after=nonsense", "after"],
      ["after=&limit=501", "limit"],
    ])("usage refuses %s and names it", async (query, field) => {
      const { status, body } = await desk.byKey(`${USAGE}?${query}`);
      expect([status, body.success]).toEqual([400, false]);
      expect(body.errors[0]).toMatch(new RegExp(`^${field}: `));
    });

    it("usage comes as comma-separated values, none of which is a formula", async () => {
      const { text, headers } = await desk.byKey(`${USAGE}?format=csv&limit=2`);
      expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
      expect(headers.get("x-total-count")).toBe("3");
      expect(text.split("\r\n")).toEqual([
        "id,createdAt,status,modality,model,apiKeyId,promptTokens,completionTokens,totalTokens,usdCost,durationMs,tags,user,surface,entry",
        "g3,2026-11-21T12:00:02.000Z,succeeded,text,m3,key,10,10,20,0.00003,12,,,,",
        "g2,2026-11-21T12:00:01.000Z,failed,text,'=m2,key,,,,0,5,,,,",
        "",
      ]);
    });
  });

  describe("usage by places", () => {
    it("comes page by page, without a total, and without the requests where they are not wanted", async () => {
      const first = await desk.byKey(`${USAGE}?after=&limit=2&request=false`);
      expect(first.body).toMatchObject({ limit: 2, results: [{ id: "g3" }, { id: "g2" }] });
      expect(first.body).not.toHaveProperty("total");
      for (const one of first.body.results) expect(one).not.toHaveProperty("request");
      const second = await desk.byKey(`${USAGE}?after=${first.body.next}&limit=500`);
      expect(second.body.results).toMatchObject([{ id: "g1", request: { model: "m1", messages: [] } }]);
      expect(second.body).not.toHaveProperty("next");
    });
  });

  describe("series", () => {
    const series = async (query = "") => (await desk.byKey(`${USAGE}/series?${query}`)).body;

    it("sum the records of the caller's account by time, and say what was before", async () => {
      const answer = await series("from=2026-11-21T12:00:00Z&to=2026-11-21T12:00:01Z&bucket=hour");
      expect(answer).toMatchObject({ from: "2026-11-21T12:00:00.000Z", to: "2026-11-21T13:00:00.000Z" });
      expect(answer.total).toMatchObject({ requests: 3, failed: 1, microCost: 60, usdCost: 0.00006 });
      expect(answer.before).toMatchObject({ requests: 0, microCost: 0 });
      expect(answer.series).toEqual([
        { name: "", total: answer.total, points: [{ at: "2026-11-21T12:00:00.000Z", ...answer.total }] },
      ]);
    });

    it("name the greatest by a measure, and sum the others", async () => {
      const { series: byModel } = await series("by=model&bucket=day&top=1&measure=failed");
      expect(byModel).toMatchObject([
        { name: "=m2", total: { requests: 1, failed: 1 } },
        { count: 2, total: { requests: 2, microCost: 60 } },
      ]);
      expect(byModel[1]).not.toHaveProperty("name");
      expect((await series("by=status&status=failed")).series).toMatchObject([{ name: "failed" }]);
      expect((await series("by=key&key=foreign")).series).toEqual([]);
    });

    it.each([
      ["bucket=year", "bucket"],
      ["by=colour", "by"],
      ["measure=beauty", "measure"],
      ["top=0", "top"],
      ["from=2026-01-02&to=2026-01-01", "to"],
      ["from=2020-01-01&to=2026-01-01&bucket=hour", "from"],
    ])("refuse %s and name it", async (query, field) => {
      const { status, body } = await desk.byKey(`${USAGE}/series?${query}`);
      expect([status, body.errors[0]]).toEqual([400, expect.stringMatching(new RegExp(`^${field}: `))]);
    });
  });

  describe("balance", () => {
    it("the balance is the sum of the ledger in US dollars, for keys and for sessions", async () => {
      expect((await desk.byKey("/api/compat/v1/balance")).body).toEqual({ creditBalance: 9.99994 });
      expect((await desk.bySession("GET", "/api/compat/v1/balance")).body).toEqual({
        creditBalance: 9.99994,
      });
    });

    it("the balance needs a credential", async () => {
      const { status, body } = await desk.send("GET", "/api/compat/v1/balance");
      expect([status, body.path]).toEqual([401, "/api/compat/v1/balance"]);
    });
  });

  describe("the calling key", () => {
    const read = (headers: Record<string, string>) => desk.send("GET", "/api/compat/v1/api-key", { headers });

    it("the calling key has no caps until some are configured, then exactly those", async () => {
      expect((await desk.byKey("/api/compat/v1/api-key")).body).toEqual({ name: "laptop", isActive: true });
      await desk.store.keys.change(
        { accountId: "acc", id: "key" },
        { caps: { daily: 50, total: 1_000_000 } },
      );
      expect((await desk.byKey("/api/compat/v1/api-key")).body).toEqual({
        name: "laptop",
        isActive: true,
        daily: { limit: 0.00005, spent: 0.00006, remaining: 0 },
        total: { limit: 1, spent: 0.00006, remaining: 0.99994 },
      });
      await desk.store.keys.change({ accountId: "acc", id: "key" }, { caps: { daily: null, total: null } });
    });

    it("the calling key is read by x-api-key only; a session is a 403, and a bearer is not looked up", async () => {
      expect((await read({ authorization: `Bearer ${await desk.signIn()}` })).status).toBe(403);
      expect((await read({ authorization: `Bearer ${desk.key}` })).status).toBe(401);
      expect((await read({ authorization: "Bearer a.b.c" })).status).toBe(401);
      expect((await read({ "x-api-key": desk.key, authorization: "Bearer a.b.c" })).status).toBe(200);
    });
  });

  describe("a deleted text", () => {
    it("a record whose text was deleted says so, and keeps its cost", async () => {
      const before = (await desk.byKey(`${USAGE}?limit=100`)).body;
      await desk.store.contents.sweep(NOON + 31 * 24 * 3_600_000);
      const after = (await desk.byKey(`${USAGE}?limit=100`)).body;
      expect(after.results).toEqual(
        before.results.map(({ request: _, ...rest }: object & { request: unknown }) => ({
          ...rest,
          requestKept: false,
        })),
      );
      expect(after.total).toBe(before.total);
    });
  });
});
