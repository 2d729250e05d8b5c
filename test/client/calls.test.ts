import { protocols } from "@manifold-gateway/core";
import { run } from "@manifold-gateway/core/codec";
import { fold } from "@manifold-gateway/core/ir";
import { describe, expect, it } from "vitest";
import { callers, upstreams, upstreamWires } from "../support/wires/index.ts";
import { chunksOf, send, startClient } from "./stage.ts";

const statuses = ({ simulator }: ReturnType<typeof startClient>) =>
  simulator.ledger.entries.map(({ protocol, status }) => [protocol, status]);

describe("a client with several targets", () => {
  const models = { best: ["msgstyle/sim-text", "chatstyle/sim-text"] } as const;

  it.each([401, 403, 404, 429, 503, 529])("calls the next one after status %i", async (status) => {
    const stage = startClient();
    stage.simulator.script(`[[fault:status=${status}]]`, { times: 1 });
    const attempts: unknown[] = [];
    const fetch = stage.client({
      models,
      onAttempt: ({ target, status }) => attempts.push([target, status]),
    });
    const response = await send(fetch, "chatstyle", "best", "[[text:Here]]");
    expect(await response.text()).toContain("Here");
    expect(attempts).toEqual([
      ["msgstyle/sim-text", status],
      ["chatstyle/sim-text", 200],
    ]);
  });

  it("does not call the next one after a failure that may have been charged, unless it is allowed to", async () => {
    for (const ambiguous of [false, true]) {
      const stage = startClient();
      stage.simulator.script("[[fault:status=500]]", { times: 1 });
      const fetch = stage.client({ models, retry: { ambiguous } });
      const response = await send(fetch, "chatstyle", "best", "Hi");
      expect(response.status).toBe(ambiguous ? 200 : 500);
      expect(stage.sent).toHaveLength(ambiguous ? 2 : 1);
    }
  });

  it("does not call the next one for a request that the provider refuses", async () => {
    const stage = startClient();
    stage.simulator.script("[[fault:status=400]]", { times: 1 });
    const response = await send(stage.client({ models }), "msgstyle", "best", "Hi");
    expect(response.status).toBe(400);
    expect(stage.sent).toHaveLength(1);
  });

  it("leaves out a target without a key", async () => {
    const stage = startClient();
    const fetch = stage.client({ models: { best: ["openai/gpt-6", "chatstyle/sim-text"] } });
    expect((await send(fetch, "msgstyle", "best", "Hi")).status).toBe(200);
    expect(statuses(stage)).toEqual([["chatstyle", 200]]);
  });

  it("makes at most as many calls as its options allow, and then tells SDKs not to try again", async () => {
    const stage = startClient();
    stage.simulator.script("[[fault:status=503]]", { times: 9 });
    const fetch = stage.client({
      models: { best: ["msgstyle/sim-text", "chatstyle/sim-text", "genstyle/sim-text"] },
      retry: { attempts: 2 },
    });
    const response = await send(fetch, "chatstyle", "best", "Hi");
    expect(response.status).toBe(503);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(stage.sent).toHaveLength(2);
  });

  it.each(callers)(
    "calls the next one if the first event of a stream is an error (SDK of %s)",
    async (caller) => {
      // The binary frames of the remaining protocol carry errors as frames of their own.
      for (const provider of upstreams.filter((name) => name !== "conversestyle")) {
        const stage = startClient();
        const { failure } = upstreamWires[provider].cut("Overloaded.");
        const fetch = stage.client({
          models: { best: [`${provider}/sim-text`, "conversestyle/sim-text"] as never },
          retry: { ambiguous: true },
          fetch: (request) =>
            request.url.includes("/converse")
              ? stage.simulator.fetch(request)
              : new Response(`data: ${JSON.stringify(failure)}\n\n`, {
                  headers: { "content-type": "text/event-stream" },
                }),
        });
        const response = await send(fetch, caller, "best", "[[text:Here]]", true);
        expect([response.status, provider]).toEqual([200, provider]);
        const { reply } = protocols.codecs[caller];
        const events = run(reply.decode(), chunksOf(await response.text()));
        expect(JSON.stringify(fold(events))).toContain("Here");
      }
    },
  );
});

describe("a client with one target", () => {
  it("waits for a pause that the provider demands, if its options allow it", async () => {
    const stage = startClient();
    stage.simulator.script("[[fault:status=429,retry-after=0]]", { times: 1 });
    const fetch = stage.client({ retry: { wait: 1_000 } });
    expect((await send(fetch, "chatstyle", "chatstyle/sim-text", "Hi")).status).toBe(200);
    expect(stage.sent).toHaveLength(2);
  });

  it("passes on the pause that the provider demands", async () => {
    const stage = startClient();
    stage.simulator.script("[[fault:status=429,retry-after=7]]", { times: 1 });
    const response = await send(stage.client(), "msgstyle", "chatstyle/sim-text", "Hi");
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
  });

  it.each([429, 503])("answers a page of HTML with its status %i, without the page", async (status) => {
    const stage = startClient();
    stage.simulator.script(`[[fault:html,status=${status}]]`, { times: 1 });
    const response = await send(stage.client(), "msgstyle", "chatstyle/sim-text", "Hi");
    expect([response.status, await response.text()]).toEqual([status, expect.not.stringContaining("<")]);
  });

  it("uses another of several keys if one is refused, and that one alone from then on", async () => {
    const stage = startClient();
    const keys = ["first-key", "second-key"];
    const refused = new Set(keys.slice(0, 1));
    const used: string[] = [];
    const fetch = stage.client({
      providers: { many: { origin: "http://simulator.test", speaks: ["chatstyle"], key: keys } },
      fetch: (request) => {
        const key = request.headers.get("authorization")!.slice("Bearer ".length);
        used.push(key);
        return refused.has(key)
          ? Response.json({ error: { message: "no" } }, { status: 401 })
          : stage.simulator.fetch(request);
      },
    });
    for (let i = 0; i < 20; i++)
      expect((await send(fetch, "chatstyle", "many/sim-text", "Hi")).status).toBe(200);
    expect(used.filter((key) => key === "first-key").length).toBeLessThanOrEqual(1);
    expect(used.filter((key) => key === "second-key")).toHaveLength(20);
  });

  it.each(callers)(
    "answers a provider that cannot be reached with 502 in the shape of %s",
    async (caller) => {
      const { client } = startClient();
      const fetch = client({
        fetch: () =>
          Promise.reject(Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } })),
      });
      const response = await send(fetch, caller, "chatstyle/sim-text", "Hi");
      expect(response.status).toBe(502);
      expect(await response.text()).toContain("could not be reached");
    },
  );

  it("gives up a provider that sends no byte in time", async () => {
    const { client } = startClient();
    const fetch = client({ fetch: () => new Promise<Response>(() => {}), timeouts: { firstByte: 1 } });
    const response = await send(fetch, "chatstyle", "chatstyle/sim-text", "Hi");
    expect(response.status).toBe(502);
    expect(await response.text()).toContain("in time");
  });
});

describe.each(callers)("an error behind the head of a stream (SDK of %s)", (caller) => {
  it.each(upstreams)("has its own status if nothing was generated yet (provider of %s)", async (provider) => {
    const stage = startClient();
    const fault = "Hi [[fault:error-after=0,status=429]]";
    const response = await send(stage.client(), caller, `${provider}/sim-text`, fault, true);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      expect.toSatisfy((status: number) => status >= 400),
      "application/json",
    ]);
  });
});
