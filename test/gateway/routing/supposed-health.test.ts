import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN, sendTo } from "../../support/caller.ts";
import { ADA } from "../../support/holder.ts";
import { type Desk, say, startDesk } from "./desk.ts";

interface Told {
  verdict: string;
  route: {
    candidates: { provider: string; entry: string; decidedBy?: string; rank: Record<string, unknown> }[];
    skipped: { provider: string; why: string }[];
  };
  entries: { id: string; provider: string; circuit: string; pricing?: object }[];
  code?: string;
}

const NATIVE = "/api/v1/text/completions";

describe("what an operator is told of another account's request", () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await startDesk(
      { one: { down: true }, two: { down: true, protocol: "msgstyle" }, three: { down: true } },
      {
        listens: false,
        entries: { one: { priority: 2 }, two: { priority: 1 }, three: { priority: 2, isActive: true } },
      } as never,
    );
  });
  afterAll(() => desk.close());

  const ask = async (
    more: object,
    body: object = say("Hello"),
    path = "/api/chatstyle/v1/chat/completions",
  ) => {
    const answer = await sendTo(
      desk.gateway,
      "POST",
      "/api/admin/explain",
      { "x-admin-key": ADMIN },
      { accountId: ADA.id, path, body, ...more },
    );
    return { status: answer.status, told: (await answer.json()) as Told };
  };
  const order = ({ route }: Told) => route.candidates.map(({ provider, decidedBy }) => [provider, decidedBy]);
  const idOf = ({ entries }: Told, provider: string): string =>
    entries.find((entry) => entry.provider === provider)?.id ?? "";

  it("the order, the rule that decided each place, and what each entry is ordered by", async () => {
    const { told } = await ask({});
    expect(order(told)).toEqual([
      ["one", undefined],
      ["three", "file"],
      ["two", "protocol"],
    ]);
    expect(told.route.candidates[2]?.rank).toMatchObject({
      order: null,
      conversation: 2,
      pause: false,
      protocol: false,
      priority: 1,
      failures: 0,
    });
    expect(told.entries.map(({ provider, circuit }) => [provider, circuit])).toEqual([
      ["one", "closed"],
      ["two", "closed"],
      ["three", "closed"],
    ]);
    expect(told.entries[0]?.pricing).toMatchObject({ currency: "USD" });
  });

  it("what would be if an entry were slow, or out", async () => {
    const { told } = await ask({});
    const [one, three] = [idOf(told, "one"), idOf(told, "three")];
    const fast = { ...say("Hello"), provider: { sort: "latency" } };
    const slow = { [one]: { latency: 3_000 }, [three]: { latency: 200 } };
    expect(order((await ask({ suppose: slow }, fast)).told)).toEqual([
      ["three", undefined],
      ["one", "sort"],
      ["two", "sort"],
    ]);
    const out = await ask({ suppose: { [one]: { circuit: "open" } } });
    expect(out.told.route.skipped).toMatchObject([{ provider: "one", why: "circuit_open" }]);
    expect(out.told.entries[0]).toMatchObject({ circuit: "open" });
    // What was supposed is forgotten with the answer.
    expect((await ask({})).told.route.skipped).toEqual([]);
  });

  it("why every entry is out, where none is left", async () => {
    const all = (await ask({})).told.entries.map(({ id }) => [id, { circuit: "open" }]);
    const { told } = await ask({ suppose: Object.fromEntries(all) });
    expect(told).toMatchObject({ verdict: "refused", code: "provider_unavailable" });
    expect(told.route.skipped.map(({ why }) => why)).toEqual(Array(3).fill("circuit_open"));
  });

  it("nothing but what can be explained, by nobody but operators", async () => {
    const made = await ask({}, { name: "x" }, "/api/admin/accounts");
    expect(made.status).toBe(404);
    expect((await desk.store.accounts.list({ offset: 0, limit: 10 })).total).toBe(1);
    expect((await ask({}, say("Hello"), "/api/admin/explain")).status).toBe(404);
    expect(await ask({ accountId: "nobody" })).toMatchObject({
      status: 404,
      told: { code: "account_not_found" },
    });
    expect(await ask({ suppose: { e0000000000: {} } })).toMatchObject({
      status: 404,
      told: { code: "entry_not_found" },
    });
    expect((await ask({ suppose: { e0: { circuit: "ajar" } } })).status).toBe(400);
    const body = { accountId: ADA.id, path: NATIVE, body: say("Hello") };
    const headers = { "x-api-key": ADA.key };
    expect((await sendTo(desk.gateway, "POST", "/api/admin/explain", headers, body)).status).toBe(401);
  });

  it("callers are told the rule of each place, and not how each entry does", async () => {
    const headers = { "x-api-key": ADA.key, "x-explain": "true" };
    const answer = await sendTo(
      desk.gateway,
      "POST",
      "/api/chatstyle/v1/chat/completions",
      headers,
      say("Hello"),
    );
    const { route } = (await answer.json()) as Told;
    expect(route.candidates.map(({ decidedBy }) => decidedBy)).toEqual([undefined, "file", "protocol"]);
    expect(JSON.stringify(route)).not.toContain("rank");
  });
});
