import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryObjects } from "../../store/archive/memory-objects.ts";
import { ADMIN } from "../../support/caller.ts";
import { type Desk, generate, NOON, openDesk } from "./desk.ts";

const DAY = 86_400_000;
const idAt = (at: number): string => at.toString(16).padStart(12, "0") + "0".repeat(20);
const OLD = idAt(NOON - 60 * DAY);
const NEW = idAt(NOON);

describe("records of archived months", () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
    desk.pass(-60 * DAY);
    await generate(desk, OLD);
    desk.pass(60 * DAY);
    await generate(desk, NEW);
    const terms = { objects: memoryObjects(), now: NOON, days: 10 };
    for await (const _ of desk.store.archive.write(terms));
    for await (const _ of desk.store.archive.remove(terms));
  });
  afterAll(() => desk.close());

  it.each([
    ["a record", () => desk.byKey(`/api/compat/v1/usage/${OLD}`)],
    ["its movements", () => desk.byKey(`/api/compat/v1/usage/${OLD}/movements`)],
    ["a record of any account", () => desk.byAdmin("GET", `/api/admin/generations/${OLD}`)],
    ["a page of records", () => desk.byAdmin("GET", `/api/admin/generations?before=${OLD}`)],
    [
      "a refund",
      () => desk.byAdmin("POST", "/api/admin/accounts/acc/refunds", { generationId: OLD, amount: 0.000001 }),
    ],
  ])("a request for %s is refused in words", async (_, request) => {
    const { status, body } = await request();
    expect([status, body.code]).toEqual([404, "generation_archived"]);
    expect(body.errors[0]).toMatch(/would be a generation of 2026-09, whose records are archived/);
  });

  it("a search names the month of an id, and lists say until when records are archived", async () => {
    for (const search of [
      await desk.byKey(`/api/compat/v1/find?q=${OLD}`),
      await desk.byAdmin("GET", `/api/admin/find?q=${OLD}`),
    ])
      expect(search.body).toEqual({ results: [], archived: "2026-09" });
    expect((await desk.byKey(`/api/compat/v1/find?q=${NEW}`)).body.archived).toBeUndefined();
    for (const list of [
      await desk.byKey("/api/compat/v1/usage"),
      await desk.byAdmin("GET", "/api/admin/generations"),
    ]) {
      expect(list.body.results).toMatchObject([{ id: NEW }]);
      expect(list.body.archivedUntil).toBe("2026-10-01T00:00:00.000Z");
    }
    const later = await desk.byKey("/api/compat/v1/usage?from=2026-11-01");
    expect([later.body.results.length, later.body.archivedUntil]).toEqual([1, undefined]);
    expect((await desk.byKey("/api/compat/v1/usage/other")).body.code).toBe("generation_not_found");
  });

  it.each(["compat/v1/usage?format=csv", "compat/v1/usage/export?", "admin/generations/export?"])(
    "the head of the file %s says until when records are archived",
    async (path) => {
      const until = async (range: string) => {
        const headers = { "x-api-key": desk.key, "x-admin-key": ADMIN };
        return (await desk.send("GET", `/api/${path}${range}`, { headers })).headers.get("x-archived-until");
      };
      expect(await until("")).toBe("2026-10-01T00:00:00.000Z");
      expect(await until("&from=2026-11-01")).toBeNull();
    },
  );

  it("balances, sums and the audit are as they were", async () => {
    const series = await desk.byKey("/api/compat/v1/usage/series?from=2026-09-01&to=2026-12-01&bucket=month");
    const [all] = series.body.series;
    expect([all.points.length, all.total.microCost]).toEqual([2, 60]);
    expect((await desk.byKey("/api/compat/v1/balance")).body.creditBalance).toBe(9.99994);
    expect((await desk.byAdmin("GET", "/api/admin/audit")).body).toMatchObject({
      differences: [],
      totals: { charged: 0.00006, records: 2 },
    });
  });
});
