import type { Capabilities } from "@manifold-gateway/core/capability";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHAT, model, price } from "../../support/text.ts";
import { type Desk, say, startDesk } from "./desk.ts";

const capabilities: Capabilities = {
  text: {
    supportedParameters: ["maxTokens", "temperature", "tools"],
    params: { temperature: { type: "range", min: 0, max: 1 } },
    inputs: {},
  },
};
const generous: Capabilities = {
  text: { supportedParameters: ["maxTokens", "temperature", "topP", "seed", "tools", "topK"] },
};

let desk: Desk;
beforeAll(async () => {
  const of = (id: string, provider: string, takes: Capabilities) =>
    model(id, provider, {
      entries: [{ provider, name: id, priority: 1, isActive: true, price, capabilities: takes }],
    });
  desk = await startDesk(
    { a: {}, b: { protocol: "msgstyle" } },
    {
      models: [
        of("small", "a", capabilities),
        of("strict", "a", { ...capabilities, strictParams: true }),
        of("afar", "b", capabilities),
        of("generous", "a", generous),
        model("embed", "a", {
          outputModalities: ["embedding"],
          entries: [
            {
              provider: "a",
              name: "sim-embed",
              priority: 1,
              isActive: true,
              price,
              capabilities: { embed: { params: { dimensions: { type: "enum", values: [4, 8] } } } },
            },
          ],
        }),
      ],
    },
  );
});
afterAll(() => desk.close());

const refused = async (path: string, body: object, init: RequestInit = {}) => {
  const before = desk.calls();
  const response = await desk.call(path, body, init);
  const { errors } = await response.json();
  expect({ status: response.status, calls: desk.calls() }).toEqual({ status: 400, calls: before });
  expect(response.headers.get("x-generation-id")).toBeNull();
  return (errors as string[]).join("\n");
};

describe("parameters that a model does not take", () => {
  it.each([
    [CHAT, { temperature: 1.5 }, "temperature"],
    ["/api/msgstyle/v1/messages", { temperature: 1.5, max_tokens: 10 }, "temperature"],
    ["/api/v1/text/completions", { temperature: 1.5 }, "temperature"],
  ])(
    "a value that a model does not take is a 400 on %s with model, field, value and what is allowed",
    async (path, more, field) => {
      for (const name of ["small", "afar"]) {
        const text = await refused(path, say("hi", { ...more, model: name }));
        for (const word of [field, "1.5", name, "0", "1", "generous"]) expect(text).toContain(word);
      }
    },
  );

  it("a parameter is named as the caller's wire names it", async () => {
    const text = await refused("/api/genstyle/v1beta/models/small:generateContent", {
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
      generationConfig: { temperature: 1.5 },
    });
    expect(text).toContain("generationConfig.temperature");
    const more = { input: "hi", model: "small", temperature: 1.5 };
    expect(await refused("/api/chatstyle/v1/responses", more)).toContain("temperature");
  });

  it("a parameter is left out and reported where the model is not strict", async () => {
    const response = await desk.call(CHAT, say("hi", { model: "small", top_p: 0.5, temperature: 0.5 }));
    expect(response.status).toBe(200);
    expect(response.headers.get("x-losses")).toBe("/top_p;unsupported");
    expect(response.headers.get("x-translation")).toBe("passthrough");
    const { request } = desk.parties.a!.ledger.last()!;
    expect(request).toMatchObject({ temperature: 0.5 });
    expect(request).not.toHaveProperty("top_p");
  });

  it("a parameter is left out of records within records too", async () => {
    const own = await startDesk({ g: { protocol: "genstyle" } }, { entries: { g: { capabilities } } });
    const response = await own.call("/api/genstyle/v1beta/models/m:generateContent", {
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
      generationConfig: { topP: 0.5, temperature: 0.5 },
    });
    expect(response.headers.get("x-losses")).toBe("/generationConfig/topP;unsupported");
    expect(own.parties.g!.ledger.last()?.request).toMatchObject({ generationConfig: { temperature: 0.5 } });
    expect(JSON.stringify(own.parties.g!.ledger.last()?.request)).not.toContain("topP");
    await own.close();
  });

  it("a parameter is left out on the way to another protocol too", async () => {
    const response = await desk.call(CHAT, say("hi", { model: "afar", top_p: 0.5 }));
    expect(response.headers.get("x-losses")).toContain("/top_p;unsupported");
    expect(desk.parties.b!.ledger.last()?.request).not.toHaveProperty("top_p");
  });

  it("a parameter is refused where the model is strict, with a hint for a misspelling", async () => {
    expect(await refused(CHAT, say("hi", { model: "strict", top_p: 0.5 }))).toContain("top_p");
    expect(await refused(CHAT, say("hi", { model: "strict", temprature: 0.5 }))).toContain("temperature");
    const response = await desk.call(CHAT, say("hi", { model: "small", temprature: 0.5 }));
    expect(response.headers.get("x-hints")).toBe("/temprature;meant=temperature");
  });

  it("media that a model does not take are refused", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    const messages = [{ role: "user", content: [{ type: "text", text: "look" }, image] }];
    expect(await refused(CHAT, { model: "small", messages })).toContain("messages.0.content.1");
  });

  it("embeddings that a model does not take are refused", async () => {
    const path = "/api/chatstyle/v1/embeddings";
    const text = await refused(path, { model: "embed", input: "hi", dimensions: 5 });
    for (const word of ["dimensions", "5", "embed", "4", "8"]) expect(text).toContain(word);
    const generate = { contents: { parts: [{ text: "hi" }] }, config: { outputDimensionality: 5 } };
    const other = await refused("/api/genstyle/v1beta/models/embed:embedContent", generate);
    expect(other).toContain("config.outputDimensionality");
    const response = await desk.call(path, { model: "embed", input: "hi", dimensions: 4 });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-attempts")).toContain("status=200");
    expect(Number(response.headers.get("x-cost"))).toBeGreaterThan(0);
  });

  it("a request goes to an entry that takes its parameters, where there is one", async () => {
    const own = await startDesk({ a: {}, b: {} }, { entries: { a: { capabilities } } });
    const response = await own.call(CHAT, say("hi", { temperature: 1.5 }));
    expect(own.calls()).toEqual({ a: 0, b: 1 });
    expect((await own.record(response.headers.get("x-generation-id"))).route).toMatchObject({
      candidates: [{ provider: "b" }, { provider: "a", why: "refused" }],
    });
    await own.call(CHAT, say("hi", { seed: 7, provider: { require_parameters: true } }));
    expect(own.calls()).toEqual({ a: 0, b: 2 });
    await own.call(CHAT, say("hi", { seed: 7 }));
    expect(own.calls()).toEqual({ a: 1, b: 2 });
    await own.close();
  });
});

describe("the policy on losses", () => {
  const lossy = say("hi", { provider: { only: ["b"] }, seed: 7, max_tokens: 50 });
  const policy = (value: string) => ({ headers: { "x-loss-policy": value } });

  it("losses are reported by default", async () => {
    const response = await desk.call(CHAT, lossy);
    expect(response.headers.get("x-losses")).toMatch(/^\/seed;unsupported(, \/usage\/\w+;\w+;reply)*$/);
    expect((await desk.record(response.headers.get("x-generation-id"))).route).toMatchObject({
      losses: [{ path: "/seed", why: "unsupported" }],
    });
  });

  it("the strict policy refuses a request before anything is called, listing its losses", async () => {
    expect(await refused(CHAT, lossy, policy("strict"))).toContain("seed: would be lost");
    expect((await desk.call(CHAT, say("hi", { seed: 7 }), policy("strict"))).status).toBe(200);
  });

  it("losses are not reported where all are allowed, and the record still has them", async () => {
    const response = await desk.call(CHAT, lossy, policy("allow"));
    expect(response.headers.get("x-losses")).toBeNull();
    expect((await desk.record(response.headers.get("x-generation-id"))).route).toMatchObject({
      losses: [{ path: "/seed" }],
    });
  });

  it("an unknown policy is refused", async () => {
    expect(await refused(CHAT, lossy, policy("never"))).toContain("x-loss-policy");
  });

  it("losses of the reply are reported at once or on the record", async () => {
    const own = await startDesk({ c: {} });
    const path = "/api/genstyle/v1beta/models/m";
    const generate = { contents: [{ role: "user", parts: [{ text: "[[refuse]] hi" }] }] };
    const whole = await own.call(`${path}:generateContent`, generate);
    const streamed = await own.call(`${path}:streamGenerateContent?alt=sse`, generate);
    await streamed.text();
    await own.settled();
    expect(whole.headers.get("x-losses")).toMatch(/;reply/);
    for (const answer of [whole, streamed]) {
      const { route } = (await own.record(answer.headers.get("x-generation-id"))) as {
        route: { replyLosses?: object[] };
      };
      expect(route.replyLosses?.length).toBeGreaterThan(0);
    }
    await own.close();
  });
});

describe("the routing headers and record of an answer", () => {
  it.each([
    [CHAT, say("hi")],
    [CHAT, say("hi", { stream: true })],
    ["/api/chatstyle/v1/responses", { model: "m", input: "hi" }],
    ["/api/msgstyle/v1/messages", say("hi", { max_tokens: 10 })],
    ["/api/genstyle/v1beta/models/m:generateContent", { contents: [{ parts: [{ text: "hi" }] }] }],
    ["/api/v1/text/completions", say("hi")],
    [CHAT, say("[[fault:status=500]]")],
    [CHAT, say("[[fault:html]]")],
  ])("an answer says what was done: %s %j", async (path, body) => {
    const response = await desk.call(path, body);
    await response.text();
    const { headers } = response;
    expect(headers.get("x-generation-id")).toMatch(/^[0-9a-f]{32}$/);
    expect(headers.get("x-entry")).toMatch(/^e[0-9a-f]{10}$/);
    expect(headers.get("x-attempts")).toMatch(/^e[0-9a-f]{10};(status|fault)=\w+;ms=\d+$/);
    expect(headers.get("x-translation")).toMatch(/^(passthrough|translated)$/);
    expect(headers.get("server-timing")).toMatch(/^plan;dur=[\d.]+, hold;dur=[\d.]+, upstream;dur=[\d.]+/);
    for (const [, value] of headers) expect(value).not.toContain("key-of-");
    await desk.settled();
  });

  it("a whole answer says its cost, which is what was charged", async () => {
    const before = (await desk.balance()).balance;
    const response = await desk.call(CHAT, say("hello there"));
    const { balance } = await desk.balance();
    expect(Math.round(Number(response.headers.get("x-cost")) * 1e6)).toBe(before - balance);
  });

  it("a refusal of the hold says where the request would have gone", async () => {
    const own = await startDesk({ a: {} }, { credit: 0 } as never);
    const response = await own.call(CHAT, say("hi"));
    expect(response.status).toBe(403);
    expect(response.headers.get("x-entry")).toMatch(/^e/);
    expect(response.headers.get("x-generation-id")).toBeNull();
    await own.close();
  });

  it("the record shows its account what was done, without the names of providers", async () => {
    const own = await startDesk({ alpha: {}, omega: { protocol: "msgstyle" } });
    own.parties.alpha!.script("[[fault:status=503]]");
    await own.call(CHAT, say("hi", { seed: 7, max_tokens: 50 }));
    const text = await (await own.call("/api/compat/v1/usage")).text();
    expect(JSON.parse(text).results[0]).toMatchObject({
      entry: expect.stringMatching(/^e/),
      translated: true,
      attempts: [{ status: 503 }, { status: 200 }],
      losses: [{ path: "/seed", why: "unsupported" }],
    });
    expect(text).not.toMatch(/alpha|omega/);
    await own.close();
  });
});
