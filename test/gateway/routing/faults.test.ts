import { afterEach, describe, expect, it } from "vitest";
import { CHAT } from "../../support/text.ts";
import { type Desk, say, startDesk } from "./desk.ts";

let desk: Desk | undefined;
afterEach(async () => {
  await desk?.settled();
  expect(await desk?.store.money.audit()).toEqual([]);
  await desk?.close();
  desk = undefined;
});
const fails = (fault: string, times = 1) => [`[[fault:${fault}]]`, { times }] as const;

/** The charge of everything so far, and what the parties generated of it. */
async function money(of: Desk) {
  const { results } = await of.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 100 });
  return results.reduce((sum, { cost = 0 }) => sum + cost, 0);
}
const worth = (of: Desk, party: string): number => {
  const totals = of.parties[party]!.ledger.totals({ delivered: "complete" });
  return totals.input + 2 * totals.output;
};

describe("a failure that cannot have been charged", () => {
  it.each([
    ["status=429,retry-after=7", 429],
    ["status=503", 503],
    ["status=529", 529],
    ["status=401", 401],
    ["status=403", 403],
    ["status=404", 404],
    ["redirect", undefined],
  ])("%s is made good by the next entry, at one charge", async (fault, status) => {
    desk = await startDesk({ a: {}, b: {} });
    desk.parties.a!.script(...fails(fault));
    const response = await desk.call(CHAT, say("hello"));
    expect(response.status).toBe(200);
    expect(desk.calls()).toEqual({ a: 1, b: 1 });
    const attempts = response.headers.get("x-attempts")?.split(", ") ?? [];
    expect(attempts).toHaveLength(2);
    if (status !== undefined) expect(attempts[0]).toContain(`;status=${status};`);
    expect(attempts[1]).toContain(";status=200;");
    expect(response.headers.get("x-entry")).toBe(attempts[1]?.split(";")[0]);
    expect(await money(desk)).toBe(worth(desk, "b"));
    const record = await desk.record(response.headers.get("x-generation-id"));
    expect(record.route).toMatchObject({
      provider: "b",
      attempts: [{ provider: "a" }, { provider: "b", status: 200 }],
    });
    expect(JSON.stringify(record.route)).not.toContain("perhapsCharged");
  });

  it("a stream whose entry is down goes to the next entry", async () => {
    desk = await startDesk({ a: { down: true }, b: {} });
    const response = await desk.call(CHAT, say("hello", { stream: true }));
    expect(await response.text()).toContain("[DONE]");
    expect(response.headers.get("x-attempts")).toMatch(/^e\w+;fault=connect;ms=\d+, e\w+;status=200;/);
    await desk.settled();
    expect(await money(desk)).toBe(worth(desk, "b"));
  });

  it("a failure that cannot have been charged goes to an entry of another protocol too", async () => {
    desk = await startDesk({ a: {}, b: { protocol: "msgstyle" } });
    desk.parties.a!.script(...fails("status=503"));
    const response = await desk.call(CHAT, say("hello"));
    expect(response.headers.get("x-translation")).toBe("translated");
    expect((await response.json()).choices[0].message.content).toContain("hello");
    expect(await money(desk)).toBe(worth(desk, "b"));
  });

  it("a request that moved on is charged at the price of the entry that served", async () => {
    desk = await startDesk(
      { a: {}, b: {} },
      { entries: { b: { price: { input: 7_000_000, output: 9_000_000 } } } },
    );
    desk.parties.a!.script(...fails("status=503"));
    const response = await desk.call(CHAT, say("hello"));
    const { input, output } = desk.parties.b!.ledger.last()!.usage;
    expect(await money(desk)).toBe(7 * input + 9 * output);
    expect(Number(response.headers.get("x-cost"))).toBeCloseTo((7 * input + 9 * output) / 1e6, 9);
  });

  it("a failed request does not go to an entry that the caller excludes", async () => {
    desk = await startDesk({ a: {}, b: {} });
    desk.parties.a!.script(...fails("status=503"));
    const response = await desk.call(CHAT, say("hello", { provider: { allow_fallbacks: false } }));
    expect(response.status).toBe(503);
    expect(desk.calls()).toEqual({ a: 1, b: 0 });
  });
});

describe("a failure that may have been charged", () => {
  it.each(["status=500", "status=502", "status=504", "reset"])(
    "%s is answered and tried at no other entry",
    async (fault) => {
      desk = await startDesk({ a: {}, b: {} });
      desk.parties.a!.script(...fails(fault));
      const response = await desk.call(CHAT, say("hello"));
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(desk.calls()).toEqual({ a: 1, b: 0 });
      expect(await money(desk)).toBe(0);
      const { results } = await desk.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
      expect(results[0]).toMatchObject({ status: "failed", route: { attempts: [{ perhapsCharged: true }] } });
    },
  );

  it("a failure that may have been charged is tried elsewhere where the operator allows it, and noted", async () => {
    desk = await startDesk({ a: {}, b: {} }, { routing: { retryAmbiguousFailures: true } });
    desk.parties.a!.script(...fails("status=500"));
    const response = await desk.call(CHAT, say("hello"));
    expect(response.status).toBe(200);
    expect(await money(desk)).toBe(worth(desk, "b"));
    const record = await desk.record(response.headers.get("x-generation-id"));
    expect(record.route).toMatchObject({
      attempts: [{ provider: "a", perhapsCharged: true }, { provider: "b" }],
    });
  });

  it("a missing response head is a 502 after its time", async () => {
    desk = await startDesk({ a: { more: { timeouts: { firstByte: 30 } } }, b: {} });
    desk.parties.a!.script(...fails("delay=5000"));
    const response = await desk.call(CHAT, say("hello"));
    expect(response.status).toBe(502);
    expect(response.headers.get("x-attempts")).toContain("fault=timeout");
    expect(desk.calls().b).toBe(0);
  });

  it("a stream that is cut goes to no other entry, and is charged for what came", async () => {
    desk = await startDesk({ a: {}, b: {} });
    desk.parties.a!.script(...fails("cut=2500"));
    const response = await desk.call(CHAT, say("hello ".repeat(50), { stream: true }));
    const said = (await response.text())
      .split("\n")
      .flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6))] : []))
      .map(({ choices }) => choices?.[0]?.delta.content ?? "")
      .join("");
    expect(said).toContain("hello");
    await desk.settled();
    expect(desk.calls()).toEqual({ a: 1, b: 0 });
    const record = await desk.record(response.headers.get("x-generation-id"));
    const output = Math.ceil(said.length / 4);
    expect(record).toMatchObject({ status: "failed", usage: { estimated: true, output } });
    expect(record.cost).toBe((record.usage as { input: number }).input + 2 * output);
  });
});

describe("a refusal of the request itself", () => {
  it("a refusal of the request itself is the caller's answer, and no other entry is called", async () => {
    desk = await startDesk({ a: {}, b: {} });
    desk.parties.a!.script(...fails("status=400"));
    const response = await desk.call(CHAT, say("hello"));
    expect(response.status).toBe(400);
    expect(desk.calls()).toEqual({ a: 1, b: 0 });
  });
});

describe("a model's only entry", () => {
  it("an only entry is called once more after a short pause", async () => {
    desk = await startDesk({ a: {} });
    desk.parties.a!.script(...fails("status=429,retry-after=0.02"));
    const response = await desk.call(CHAT, say("hello"));
    expect(response.status).toBe(200);
    expect(response.headers.get("x-attempts")).toMatch(/;status=429;.*;status=200;/);
    expect(await money(desk)).toBe(worth(desk, "a"));
  });

  it("an only entry is called at most once more, and not after a long pause", async () => {
    desk = await startDesk({ a: {} });
    desk.parties.a!.script(...fails("status=503,retry-after=0", 5));
    expect((await desk.call(CHAT, say("hello"))).status).toBe(503);
    expect(desk.calls()).toEqual({ a: 2 });
    desk.parties.a!.reset();
    desk.parties.a!.script(...fails("status=429,retry-after=2"));
    const response = await desk.call(CHAT, say("hello"));
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "2"]);
    expect(desk.calls()).toEqual({ a: 1 });
  });

  it("an only entry that could not be reached is retried, and then is a 502", async () => {
    desk = await startDesk({ a: { down: true } });
    const response = await desk.call(CHAT, say("hello"));
    expect(response.status).toBe(502);
    expect(response.headers.get("x-attempts")).toMatch(
      /^e\w+;fault=connect;ms=\d+, e\w+;fault=connect;ms=\d+$/,
    );
  });
});

describe("the failure of all entries", () => {
  it("the last entry's error is answered in the caller's shape, with the attempts and its pause", async () => {
    desk = await startDesk({ a: {}, b: { protocol: "genstyle" }, c: { protocol: "msgstyle" }, d: {} });
    for (const party of Object.values(desk.parties)) party.script(...fails("status=429,retry-after=9"));
    const before = await desk.balance();
    const response = await desk.call(CHAT, say("hello"));
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("9");
    expect((await response.json()).error.message).toBeTypeOf("string");
    // Three calls at the most, those of the caller's protocol first.
    expect(desk.calls()).toEqual({ a: 1, d: 1, b: 1, c: 0 });
    expect(response.headers.get("x-attempts")?.split(", ")).toHaveLength(3);
    expect(response.headers.get("x-cost")).toBe("0.000000");
    expect(await desk.balance()).toEqual(before);
    const record = await desk.record(response.headers.get("x-generation-id"));
    expect(record).toMatchObject({ status: "failed", cost: 0 });
  });
});

describe("an entry that asked for a pause", () => {
  it("an entry that asked for a pause comes last until the pause is over", async () => {
    desk = await startDesk({ a: {}, b: {} });
    desk.parties.a!.script(...fails("status=429,retry-after=30"));
    await desk.call(CHAT, say("one"));
    await desk.call(CHAT, say("two"));
    expect(desk.calls()).toEqual({ a: 1, b: 2 });
    desk.pass(31_000);
    await desk.call(CHAT, say("three"));
    expect(desk.calls()).toEqual({ a: 2, b: 2 });
  });
});

describe("the circuit of an entry", () => {
  const routing = { circuit: { failures: 3, openFor: 10_000 } };

  it("a circuit opens, is passed over without a call, is probed once and closes", async () => {
    desk = await startDesk({ a: {}, b: {} }, { routing });
    desk.parties.a!.script(...fails("status=503", 4));
    for (let n = 0; n < 3; n++) expect((await desk.call(CHAT, say("x"))).status).toBe(200);
    expect(desk.calls()).toEqual({ a: 3, b: 3 });
    expect([...desk.gateway.health().values()]).toContainEqual(expect.objectContaining({ openAccounts: 1 }));
    const passed = await desk.call(CHAT, say("x"));
    expect(desk.calls()).toEqual({ a: 3, b: 4 });
    const record = await desk.record(passed.headers.get("x-generation-id"));
    expect((record.route as { candidates: object[] }).candidates).toContainEqual(
      expect.objectContaining({ provider: "a", why: "circuit_open" }),
    );
    // The probe fails, so it stays open for twice as long.
    desk.pass(10_001);
    await desk.call(CHAT, say("x"));
    expect(desk.calls()).toEqual({ a: 4, b: 5 });
    desk.pass(10_001);
    await desk.call(CHAT, say("x"));
    expect(desk.calls()).toEqual({ a: 4, b: 6 });
    desk.pass(10_001);
    await desk.call(CHAT, say("x"));
    expect(desk.calls()).toEqual({ a: 5, b: 6 });
    expect([...desk.gateway.health().values()]).not.toContainEqual(
      expect.objectContaining({ openAccounts: 1 }),
    );
  });

  it("an open circuit is a 503 that says when, where no other entry serves the model", async () => {
    desk = await startDesk({ a: {} }, { routing });
    desk.parties.a!.script(...fails("status=500", 3));
    for (let n = 0; n < 3; n++) expect((await desk.call(CHAT, say("x"))).status).toBe(500);
    const response = await desk.call(CHAT, say("x"));
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(5);
    expect(desk.calls()).toEqual({ a: 3 });
    desk.pass(10_001);
    expect((await desk.call(CHAT, say("x"))).status).toBe(200);
  });

  it("a circuit stays closed for an entry that flaps less than the limit", async () => {
    desk = await startDesk({ a: {} }, { routing });
    for (let n = 0; n < 5; n++) {
      desk.parties.a!.script(...fails("status=500", 2));
      for (const status of [500, 500, 200]) expect((await desk.call(CHAT, say("x"))).status).toBe(status);
    }
    expect(desk.calls()).toEqual({ a: 15 });
  });
});

describe("a provider with a limit", () => {
  it("a provider at its limit passes requests on to the next, and never has more at once", async () => {
    desk = await startDesk({ a: { more: { concurrency: { maxConcurrent: 1, queue: 0 } } }, b: {} });
    desk.parties.a!.script(...fails("stall=400"));
    const slow = await desk.call(CHAT, say("slow", { stream: true }));
    const other = await desk.call(CHAT, say("quick"));
    expect(other.headers.get("x-attempts")).toMatch(/;fault=busy;.*;status=200;/);
    expect(desk.calls()).toEqual({ a: 1, b: 1 });
    await slow.text();
    expect((await desk.call(CHAT, say("later"))).headers.get("x-attempts")).not.toContain("busy");
  });
});
