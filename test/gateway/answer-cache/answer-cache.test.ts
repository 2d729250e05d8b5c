import { createMemoryCache, createStoreCache } from "@manifold-gateway/gateway";
import { openSqlite } from "@manifold-gateway/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { cacheKey } from "../../../packages/gateway/src/answer-cache/cache-key.ts";
import type { KeptAnswer } from "../../../packages/gateway/src/ports/answer-cache.ts";
import { ADMIN, callerOf, type Json } from "../../support/caller.ts";
import { ADA, OTHER } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model, modelOf, price } from "../../support/text.ts";
import { askOf, callers } from "../../support/wires/index.ts";

let now = Date.now();
let h: Stage;
const MINUTE = { "x-cache": "max-age=60, any" };
const entry = { provider: "chatstyle", name: "sim-chat", priority: 1, isActive: true, price };

beforeAll(async () => {
  h = await startStage({
    now: () => now,
    holders: [ADA, OTHER],
    answers: { cache: createMemoryCache(1_000_000, () => now), share: 0.25 },
    models: [model("kept", "chatstyle", { entries: [entry], cache: { seconds: 60, any: true } })],
  });
});
afterAll(() => h.close());

const calls = (): number => h.simulator.ledger.entries.length;
const chat = (text: string, more = {}) => ({
  model: "sim-chatstyle",
  messages: [{ role: "user", content: text }],
  ...more,
});
/** The parts of an answer that its caller reads. */
const read = async (response: Response) => ({
  status: response.status,
  type: response.headers.get("content-type"),
  cache: response.headers.get("x-cache"),
  cost: Number(response.headers.get("x-cost")),
  id: response.headers.get("x-generation-id"),
  text: await response.text(),
});
let turn = 0;
const fresh = (): string => `turn ${turn++}`;

describe("an answer that is given once more", () => {
  describe.each(callers)("on the surface of %s", (protocol) => {
    test.each([false, true])("is the same to the byte, streamed: %s, and costs its share", async (stream) => {
      const [path, body] = askOf(protocol, modelOf("msgstyle"), stream);
      const unlike = JSON.stringify(body).replaceAll(/hello/gi, fresh());
      expect(unlike).toContain("turn ");
      const ask = async () => read(await h.call(path, unlike, { headers: MINUTE }));
      const first = await ask();
      await h.settled();
      const [before, called] = [await h.balance(), calls()];
      now += 2_000;
      const second = await ask();
      expect([first.status, first.cache]).toEqual([200, "miss"]);
      const { id, cache, cost, ...shown } = second;
      expect(first).toMatchObject(shown);
      expect(cache).toMatch(/^hit; age=2; saved=0\.\d{6}$/);
      expect(calls()).toBe(called);
      const [hit, miss]: Json[] = await Promise.all(
        [id, first.id].map((one) => h.json(`/api/compat/v1/usage/${one}`)),
      );
      expect(hit.cache).toMatchObject({ of: miss.id, age: 2 });
      expect(cost).toBe(hit.usdCost);
      expect(Math.round(hit.usdCost * 1e6)).toBe(Math.ceil(Math.round(miss.usdCost * 1e6) / 4));
      expect(before.balance - (await h.balance()).balance).toBe(Math.round(hit.usdCost * 1e6));
    });
  });

  it("is never that of another account", async () => {
    const other = callerOf(h.origin, fetch, OTHER.key);
    const body = chat(fresh());
    expect((await read(await h.call(CHAT, body, { headers: MINUTE }))).cache).toBe("miss");
    expect((await read(await other.call(CHAT, body, { headers: MINUTE }))).cache).toBe("miss");
    expect((await read(await other.call(CHAT, body, { headers: MINUTE }))).cache).toMatch(/^hit/);
  });

  it("is not older than the request allows, nor than it was kept for", async () => {
    const body = chat(fresh());
    const ask = async (seconds: number) =>
      (await read(await h.call(CHAT, body, { headers: { "x-cache": `max-age=${seconds}, any` } }))).cache;
    expect(await ask(60)).toBe("miss");
    now += 30_000;
    expect(await ask(20)).toBe("miss");
    now += 19_000;
    expect(await ask(3_600)).toMatch(/^hit/);
    now += 2_000;
    expect(await ask(3_600)).toBe("miss");
  });

  it("is that of a request without chance, unless every answer is asked for", async () => {
    const cached = async (more: object, header = "max-age=60") =>
      (await read(await h.call(CHAT, chat(fresh(), more), { headers: { "x-cache": header } }))).cache;
    expect(await cached({})).toBe("skip; reason=sampling");
    expect(await cached({ temperature: 0 })).toBe("miss");
    expect(await cached({ temperature: 1, seed: 7 })).toBe("miss");
    expect(await cached({}, "max-age=60, any")).toBe("miss");
    expect(await cached({}, "off")).toBeNull();
  });

  it("is asked for by a model or by a key, and the request goes before both", async () => {
    const key = { name: "cached", restrictions: { cacheSeconds: 60 } };
    const made = await h.json("/api/admin/accounts/acc/api-keys", key, 201, {
      headers: { "x-admin-key": ADMIN },
    });
    const cached = callerOf(h.origin, fetch, made.key);
    const zero = chat(fresh(), { temperature: 0 });
    expect((await read(await cached.call(CHAT, zero))).cache).toBe("miss");
    expect((await read(await cached.call(CHAT, zero))).cache).toMatch(/^hit/);
    expect((await read(await cached.call(CHAT, zero, { headers: { "x-cache": "off" } }))).cache).toBeNull();
    const kept = { ...chat(fresh()), model: "kept" };
    expect((await read(await h.call(CHAT, kept))).cache).toBe("miss");
    expect((await read(await h.call(CHAT, kept))).cache).toMatch(/^hit/);
  });

  it("is not kept where the provider failed", async () => {
    const body = chat(`[[fault:status=500]] ${fresh()}`);
    for (let round = 0; round < 2; round++)
      expect(await read(await h.call(CHAT, body, { headers: MINUTE }))).toMatchObject({
        status: 500,
        cache: "miss",
      });
  });

  test.each(["max-age=0", "max-age=9999999", "yes", "max-age=1,  any", ""])(
    "the header %j is refused before any call",
    async (header) => {
      const response = await h.call(CHAT, chat(fresh()), { headers: { "x-cache": header } });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: "invalid_header" });
    },
  );
});

describe("the place of an answer", () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const body = fc.dictionary(fc.string({ maxLength: 5 }), json, { maxKeys: 5 });
  const basis = fc.record({
    account: fc.constantFrom("a", "b"),
    model: fc.record({ id: fc.constantFrom("m", "n"), revision: fc.nat(1) }),
    name: fc.constantFrom("m", "alias"),
    protocol: fc.constantFrom("chatstyle", "native"),
    stream: fc.boolean(),
    form: fc.constantFrom("", "application/json"),
    losses: fc.constantFrom("warn" as const, "strict" as const),
    headers: fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("x", "y")),
    body,
  });
  const nameOf = (one: Json): string => {
    const { account, hash } = cacheKey(one);
    return `${account} ${hash}`;
  };
  /** The value with the members of its objects in another order. */
  const turned = (value: Json): Json =>
    Array.isArray(value)
      ? value.map(turned)
      : value !== null && typeof value === "object"
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([name, one]) => [name, turned(one)]),
          )
        : value;

  it("is the same for two requests exactly if everything that decides their answers is equal", () => {
    fc.assert(
      fc.property(basis, basis, (one, other) => {
        const isEqual = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(nameOf(one) === nameOf(other)).toBe(isEqual);
        expect(nameOf(turned(one))).toBe(nameOf(one));
      }),
    );
  });

  it("is another one as soon as anything that decides the answer changes", () => {
    fc.assert(
      fc.property(basis, basis, (one, other) => {
        const changes = [
          ...Object.entries(other).map(([name, value]) => ({ [name]: value })),
          ...Object.entries(other.model).map(([name, value]) => ({ model: { ...one.model, [name]: value } })),
        ];
        for (const change of changes) {
          const changed = { ...one, ...change };
          const isEqual = JSON.stringify(sorted(one)) === JSON.stringify(sorted(changed));
          expect(nameOf(one) === nameOf(changed), JSON.stringify(change)).toBe(isEqual);
        }
      }),
    );
    fc.assert(
      fc.property(basis, fc.string({ maxLength: 5 }), json, (one, member, value) => {
        const changed = { ...one, body: { ...one.body, [member]: value } };
        const isEqual = JSON.stringify(sorted(one)) === JSON.stringify(sorted(changed));
        expect(nameOf(one) === nameOf(changed)).toBe(isEqual);
      }),
    );
  });

  const sorted = (value: Json): Json =>
    Array.isArray(value)
      ? value.map(sorted)
      : value !== null && typeof value === "object"
        ? Object.fromEntries(
            Object.keys(value)
              .sort()
              .map((name) => [name, sorted(value[name])]),
          )
        : value;
});

describe.each(["memory", "store"] as const)("the cache in the %s", (kind) => {
  const log = { info() {}, warn() {}, error() {} };
  const answer = (body: string, until: number): KeptAnswer => ({
    ...{ at: 1_000, until, generation: "g", cost: 5, headers: { "content-type": "x" } },
    ...{ body, encoding: "utf8" as const },
  });

  it("gives back what was put there for an account, until its end, and stays within its size", async () => {
    let clock = 1_000;
    const store = kind === "store" ? await openSqlite({ path: ":memory:" }) : undefined;
    const cache = store ? createStoreCache(store, log, () => clock) : createMemoryCache(100_000, () => clock);
    const place = { account: "a", hash: "h" };
    cache.put(place, answer("ö\u0000x", 2_000));
    await expect.poll(() => cache.get(place)).toEqual(answer("ö\u0000x", 2_000));
    expect(await cache.get({ account: "b", hash: "h" })).toBeUndefined();
    clock = 2_000;
    expect(await cache.get(place)).toBeUndefined();
    clock = 1_000;
    for (let at = 0; at < 50; at++)
      cache.put(
        { account: "a", hash: `big ${at}` },
        { ...answer("x".repeat(10_000), 9_000), at: 1_000 + at },
      );
    await expect.poll(() => cache.get({ account: "a", hash: "big 49" })).toBeDefined();
    await store?.cachedAnswers.expire(clock, 100_000);
    expect(await cache.get({ account: "a", hash: "big 0" })).toBeUndefined();
    expect(await cache.get({ account: "a", hash: "big 49" })).toBeDefined();
    await store?.close();
  });
});
