import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHAT, price } from "../../support/text.ts";
import { type Desk, say, startDesk } from "./desk.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk(
    { a: {}, b: { protocol: "msgstyle" }, c: {}, d: { protocol: "genstyle" } },
    {
      entries: {
        a: { price: { input: 3_000_000, output: 3_000_000 } },
        b: { price: { input: 1_000_000, output: 1_000_000 } },
        c: { price: { input: 2_000_000, output: 2_000_000 } },
      },
    },
  );
});
afterAll(() => desk.close());

const bodies: Record<string, { path: string; body: object }> = {
  chatstyle: { path: CHAT, body: say("hi") },
  responses: { path: "/api/chatstyle/v1/responses", body: { model: "m", input: "hi" } },
  msgstyle: { path: "/api/msgstyle/v1/messages", body: say("hi", { max_tokens: 50 }) },
  genstyle: {
    path: "/api/genstyle/v1beta/models/m:generateContent",
    body: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
  },
  native: { path: "/api/v1/text/completions", body: say("hi") },
};

/** The provider that served. */
async function served(surface: string, provider: object): Promise<string> {
  const { path, body } = bodies[surface]!;
  const response = await desk.call(path, { ...body, provider });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  await desk.settled();
  const { route } = (await desk.record(response.headers.get("x-generation-id"))) as {
    route: { provider: string };
  };
  return route.provider;
}

describe.each(Object.keys(bodies))("the provider options on the %s surface", (surface) => {
  it.each([
    [{ only: ["c"] }, "c"],
    [{ order: ["d", "b"] }, "d"],
    [{ order: ["nobody", "b"] }, "b"],
    [{ ignore: ["a", "c", "d"] }, "b"],
    [{ sort: "price" }, "b"],
    [{ sort: { by: "price" }, ignore: ["b"] }, "d"],
    [{ max_price: { prompt: 1 }, only: ["a", "b"] }, "b"],
    [{ order: ["c"], allow_fallbacks: false }, "c"],
  ])("the entry is chosen by the provider options %j", async (provider, expected) => {
    expect(await served(surface, provider)).toBe(expected);
  });

  it.each([
    [{ order: "a" }, "provider.order"],
    [{ only: [1] }, "provider.only.0"],
    [{ sort: "cheap" }, "provider.sort"],
    [{ allow_fallbacks: "no" }, "provider.allow_fallbacks"],
    [{ max_price: { prompt: -1 } }, "provider.max_price.prompt"],
    [{ max_price: { words: 1 } }, "words"],
    [{ max_price: { promt: 1 } }, "Did you mean 'prompt'?"],
    [{ allowFallbacks: false }, "allow_fallbacks"],
    [{ only: ["nobody"] }, "provider"],
  ])("provider options of %j are a 400 that names them", async (provider, field) => {
    const { path, body } = bodies[surface]!;
    const before = Object.values(desk.calls());
    const response = await desk.call(path, { ...body, provider });
    expect(response.status).toBe(400);
    expect((await response.json()).errors.join(" ")).toContain(field);
    expect(Object.values(desk.calls())).toEqual(before);
  });
});

it("the provider options reach only upstreams that are routers, with those meant for them", async () => {
  const own = await startDesk({ a: {}, r: { more: { routes: true } } });
  await own.call(CHAT, say("hi", { provider: { only: ["a"], zdr: true } }));
  expect(own.parties.a!.ledger.last()?.request).not.toHaveProperty("provider");
  await own.call(CHAT, say("hi", { provider: { only: ["r"], zdr: true, order: ["someone"] } }));
  expect(own.parties.r!.ledger.last()?.request).toMatchObject({
    provider: { zdr: true, order: ["someone"] },
  });
  await own.close();
});

it("an unknown provider option is reported", async () => {
  const response = await desk.call(CHAT, say("hi", { provider: { zdr: true } }));
  expect(response.headers.get("x-losses")).toBe("/provider/zdr;unsupported");
});

it("sorting by latency goes by what was measured", async () => {
  const own = await startDesk({ a: {}, b: {} });
  own.parties.a!.script("[[fault:delay=150]]");
  await own.call(CHAT, say("hi", { provider: { only: ["a"] } }));
  await own.call(CHAT, say("hi", { provider: { only: ["b"] } }));
  const fast = await own.call(CHAT, say("hi", { provider: { sort: "latency" } }));
  expect((await own.record(fast.headers.get("x-generation-id"))).route).toMatchObject({ provider: "b" });
  await own.close();
});

describe("conversations that an entry holds state of", () => {
  it("a conversation goes on where it was served, though another entry would go first", async () => {
    const own = await startDesk({ a: {}, b: {} });
    const first = { role: "system", content: "Long." };
    const turn = { prompt_cache_key: "k", messages: [first, { role: "user", content: "one" }] };
    own.parties.a!.script("[[fault:status=503]]");
    await own.call(CHAT, { model: "m", ...turn });
    expect(own.calls()).toEqual({ a: 1, b: 1 });
    const more = [...turn.messages, { role: "assistant", content: "1" }, { role: "user", content: "two" }];
    await own.call(CHAT, { ...turn, model: "m", messages: more });
    expect(own.calls()).toEqual({ a: 1, b: 2 });
    // Another conversation, and one that nobody holds anything of, go where they would.
    await own.call(CHAT, say("one"));
    await own.call(CHAT, { ...turn, model: "m", messages: [first, { role: "user", content: "other" }] });
    expect(own.calls()).toEqual({ a: 3, b: 2 });
    await own.close();
  });

  it("a conversation goes to the protocol that its seal belongs to", async () => {
    const own = await startDesk({ a: {}, b: { protocol: "msgstyle" } });
    const opening = { role: "user", content: "[[reason]] think" };
    const ask = { model: "m", max_tokens: 3_000, reasoning_effort: "high" };
    const first = await own.call(CHAT, { ...ask, messages: [opening], provider: { only: ["b"] } });
    const { message } = (await first.json()).choices[0];
    expect(JSON.stringify(message)).toContain("mfseal1");
    const second = await own.call(CHAT, {
      ...ask,
      messages: [opening, message, { role: "user", content: "more" }],
    });
    expect(second.status).toBe(200);
    expect(own.calls()).toEqual({ a: 0, b: 2 });
    await own.close();
  });
});

describe("a model without an entry to serve it", () => {
  it.each([
    [{ isActive: false }, "no active provider"],
    [{ price: undefined as never }, "no price"],
  ])("an entry that is not eligible is refused with the reason: %j", async (entry, text) => {
    const own = await startDesk({ a: {} }, { entries: { a: { price, ...entry } } });
    const response = await own.call(CHAT, say("hi"));
    expect(response.status).toBe(400);
    expect((await response.json()).errors[0]).toContain(text);
    await own.close();
  });
});
