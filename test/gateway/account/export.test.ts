import { toUsd } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useDatabases } from "./databases.ts";
import { type Desk, openDesk } from "./desk.ts";

const EXPORT = "/api/compat/v1/usage/export";
/** More than one page of the export. */
const MADE = 505;

type Row = Record<string, unknown> & { id: string; usdCost: number };

describe.each(useDatabases())("exports of records on $name", ({ make }) => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ make });
    for (let n = 0; n < MADE; n++) {
      const id = `g${String(n).padStart(4, "0")}`;
      const model = n % 5 === 0 ? "=m1" : "m2";
      const generation = { id, accountId: "acc", keyId: "key", modality: "text" as const, model };
      await desk.store.money.reserve({ generation, amount: 100, at: desk.now(), policy: "threshold" });
      await desk.store.money.settle({
        id,
        cost: n,
        status: n % 7 === 0 ? "failed" : "succeeded",
        usage: { promptTokens: n },
        route: {
          ...{ provider: "acme", entry: "e1" },
          attempts: [
            { entry: "e2", provider: "other", ms: 3 },
            { entry: "e1", provider: "acme", ms: 4 },
          ],
          losses: [{ path: "top_k", why: "unsupported" }],
        },
      });
      // Several records of one moment stand on both sides of a page's end.
      if (n % 3 === 0) desk.pass(1_000);
    }
  });
  afterAll(() => desk.close());

  const rows = async (query = "") => {
    const { text } = await desk.byKey(`${EXPORT}?format=jsonl${query}`);
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Row);
  };

  it("an export has every record once, newest first, and its costs add up to the ledger and the series", async () => {
    const all = await rows("&from=2026-11-01&to=2026-12-01");
    expect(all.map(({ id }) => id)).toEqual(
      Array.from({ length: MADE }, (_, n) => `g${String(MADE - 1 - n).padStart(4, "0")}`),
    );
    const sum = all.reduce((sum, { usdCost }) => sum + Math.round(usdCost * 1e6), 0);
    const { body } = await desk.byKey("/api/compat/v1/usage/series");
    expect(body.total).toMatchObject({ requests: MADE, microCost: sum });
    const { body: balance } = await desk.byKey("/api/compat/v1/balance");
    expect(balance.creditBalance).toBe(10 - toUsd(sum));
    expect((await desk.store.ledger.totals()).charged).toBe(sum);
    const { text: sheet } = await desk.byKey(`${EXPORT}?from=2026-11-01&to=2026-12-01`);
    const [head = [], ...lines] = sheet
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","));
    const costs = lines.map((line) => Math.round(Number(line[head.indexOf("usdCost")]) * 1e6));
    expect(costs).toEqual(all.map(({ usdCost }) => Math.round(usdCost * 1e6)));
  });

  it("an export follows the filters, and the count says beforehand how many records it has", async () => {
    for (const query of ["", "&model=m2", "&status=failed", "&to=2026-11-21T12:00:30Z", "&key=foreign"]) {
      const { body } = await desk.byKey(`/api/compat/v1/usage/count?${query}`);
      expect([query, (await rows(query)).length]).toEqual([query, body.total]);
    }
    expect((await rows("&model=m2&status=failed")).every(({ model }) => model === "m2")).toBe(true);
  });

  it("a sheet has the names of keys, attempts and losses, and no cell is a formula", async () => {
    const { text, headers } = await desk.byKey(`${EXPORT}?model=%3Dm1&to=2026-11-21T12:00:01Z`);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(text.split("\r\n")).toEqual([
      "id,createdAt,status,modality,model,apiKeyId,promptTokens,completionTokens,totalTokens,usdCost,durationMs,tags,user,surface,entry,keyName,attempts,losses",
      "g0000,2026-11-21T12:00:00.000Z,failed,text,'=m1,key,0,,,0,,,,,e1,laptop,2,top_k unsupported",
      "",
    ]);
  });

  it("an export names providers for operators alone", async () => {
    expect(JSON.stringify(await rows("&status=failed"))).not.toMatch(/acme|other/);
    const headers = { "x-api-key": desk.key, "x-admin-key": "wrong" };
    const wrong = await desk.send("GET", `${EXPORT}?status=failed`, { headers });
    expect(wrong.text).not.toContain("acme");
  });

  it("the name of an exported file says what was chosen: filters, the key's name, both days", async () => {
    const name = async (query: string) =>
      (await desk.byKey(`${EXPORT}?${query}`)).headers.get("content-disposition");
    expect(await name("")).toBe('attachment; filename="requests.csv"');
    expect(await name("format=jsonl&status=failed&key=key&from=2026-11-01&to=2026-12-01")).toBe(
      'attachment; filename="requests_status-failed_key-laptop_from-2026-11-01_to-2026-11-30.jsonl"',
    );
    expect(await name('model=a/"b')).toBe('attachment; filename="requests_model-a-b.csv"');
  });

  it("operators export the records of all accounts, or of one, and they add up to the ledger of all", async () => {
    const { store } = desk;
    await store.accounts.ensure({ id: "other", name: "=Other", at: desk.now() });
    await store.accounts.credit({
      ...{ accountId: "other", amount: 1_000, kind: "topup", reference: "o", at: desk.now() },
    });
    const generation = { id: "o1", accountId: "other", modality: "text" as const, model: "m2" };
    await store.money.reserve({ generation, amount: 100, at: desk.now(), policy: "threshold" });
    await store.money.settle({ id: "o1", cost: 77, status: "succeeded", route: { provider: "acme" } });
    const path = "/api/admin/generations";
    const read = async (query: string) => {
      const { text } = await desk.byAdmin("GET", `${path}/export?format=jsonl${query}`);
      const lines = text.split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line) as Row & { userId: string; accountName: string });
    };
    const all = await read("");
    expect(all.filter(({ userId }) => userId === "acc").map(({ id }) => id)).toEqual(
      (await rows()).map(({ id }) => id),
    );
    expect(all.at(-1)).toMatchObject({ id: "o1", accountName: "=Other", provider: "acme" });
    const sum = all.reduce((sum, { usdCost }) => sum + Math.round(usdCost * 1e6), 0);
    expect(sum).toBe((await store.ledger.totals()).charged);
    for (const query of ["", "&account=other", "&account=acc&status=failed", "&account=none"]) {
      const { body } = await desk.byAdmin("GET", `${path}/count?${query}`);
      expect([query, (await read(query)).length]).toEqual([query, body.total]);
    }
    const sheet = await desk.byAdmin("GET", `${path}/export?account=other`);
    expect(sheet.headers.get("content-disposition")).toBe('attachment; filename="requests_of-other.csv"');
    expect(sheet.text.split("\r\n")[1]).toMatch(/^o1,.*,other,'=Other,acme,,$/);
    expect((await desk.byKey(`${path}/export`)).status).toBe(401);
  });

  it("an export reads no further than its reader does, and stops when the reader leaves", async () => {
    const { generations } = desk.store;
    const { after } = generations;
    let pages = 0;
    let last: unknown;
    // An endless account: the same page again and again.
    generations.after = async (filter, page) => {
      pages += 1;
      return after(filter, { limit: page.limit, isWithRequest: false });
    };
    try {
      const request = new Request(`http://gateway${EXPORT}`, { headers: { "x-api-key": desk.key } });
      const { body } = await desk.gateway.fetch(request);
      const reader = body!.getReader();
      await reader.read();
      // Work that waits for nothing but itself would be done by then.
      for (let turns = 0; turns < 200; turns++) await desk.byKey("/api/compat/v1/balance");
      const read = pages;
      expect(read).toBeLessThan(10);
      for (let turns = 0; turns < 40; turns++) last = await reader.read();
      expect(last).toMatchObject({ done: false });
      expect(pages).toBeGreaterThan(read);
      await reader.cancel();
      const { body: after } = await desk.byKey("/api/compat/v1/balance");
      expect(after).toBeDefined();
      const left = pages;
      for (let turns = 0; turns < 50; turns++) await desk.byKey("/api/compat/v1/balance");
      expect(pages).toBeLessThanOrEqual(left + 1);
    } finally {
      generations.after = after;
    }
  });
});
