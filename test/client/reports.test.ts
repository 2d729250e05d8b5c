import { createFetch } from "@manifold-gateway/client";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, it } from "vitest";
import { callers } from "../support/wires/index.ts";
import { ORIGIN, requests, send, startClient } from "./stage.ts";

/** A request of chat completions with a member that the messages protocol has no place for. */
const seeded = (model: string) => ({
  body: JSON.stringify({ ...requests.chatstyle(model, "Hi", false)[1], max_tokens: 64, seed: 7 }),
});

describe("losses", () => {
  it("are reported once for each member and target, with the caller's path, and again if that is requested", async () => {
    for (const repeatLosses of [false, true]) {
      const stage = startClient();
      const losses: unknown[] = [];
      const fetch = stage.client({
        repeatLosses,
        onLoss: ({ of, path, why, target }) => losses.push([of, path, why, target]),
      });
      for (const model of ["msgstyle/sim-text", "msgstyle/sim-text", "msgstyle/sim-other"])
        await send(fetch, "chatstyle", model, "Hi", false, seeded(model));
      const seeds = losses.filter((loss) => (loss as string[])[1] === "/seed");
      expect(seeds[0]).toEqual(["request", "/seed", "unsupported", "msgstyle/sim-text"]);
      expect(seeds).toHaveLength(repeatLosses ? 3 : 2);
    }
  });

  it("refuse a request if the options say so, and nothing is sent", async () => {
    const stage = startClient();
    const model = "msgstyle/sim-text";
    const response = await send(
      stage.client({ losses: "refuse" }),
      "chatstyle",
      model,
      "Hi",
      false,
      seeded(model),
    );
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("`losses`")]);
    expect(stage.sent).toEqual([]);
  });

  it("of a missing limit of output are reported once, unless the limit of the model is known and sent", async () => {
    const stage = startClient();
    const losses: string[] = [];
    const fetch = stage.client({
      models: { best: { target: "msgstyle/sim-text", capabilities: { text: { maxOutputTokens: 9000 } } } },
      onLoss: ({ path }) => losses.push(path),
    });
    for (let i = 0; i < 2; i++) await send(fetch, "chatstyle", "msgstyle/sim-text", "Hi");
    expect(losses).toEqual(["/max_completion_tokens"]);
    for (const model of ["best", "msgstyle/claude-opus-4-7"]) await send(fetch, "chatstyle", model, "Hi");
    expect(losses).toEqual(["/max_completion_tokens"]);
    const limits = stage.simulator.ledger.entries.map(({ request }) => (request as JsonObject).max_tokens);
    expect(limits).toEqual([4096, 4096, 9000, expect.toSatisfy((limit: number) => limit > 4096)]);
  });

  it("of content refuse a request whatever the options say", async () => {
    const stage = startClient();
    const body = JSON.stringify({ model: "msgstyle/sim-text", previous_response_id: "resp_1", input: "Hi" });
    const response = await send(stage.client(), "responses", "msgstyle/sim-text", "Hi", false, { body });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("previous_response_id"),
    ]);
    expect(stage.sent).toEqual([]);
  });
});

it("callbacks that throw or reject have no effect on the answer", async () => {
  const stage = startClient();
  const broken = (): never => {
    throw new Error("broken");
  };
  const fetch = stage.client({
    onLoss: broken,
    onUsage: (() => Promise.reject(new Error("broken"))) as never,
    onAttempt: broken,
  });
  const model = "msgstyle/sim-text";
  expect((await send(fetch, "chatstyle", model, "Hi", false, seeded(model))).status).toBe(200);
});

it.each(callers)(
  "a request for more than its target accepts is refused before it is sent (SDK of %s)",
  async (caller) => {
    const stage = startClient();
    const capabilities = {
      text: { maxOutputTokens: 64, params: { maxTokens: { type: "int", min: 1, max: 64 } } },
    } as const;
    const models = { best: { target: `${caller}/sim-text` as never, capabilities } };
    const [, body] = requests[caller]("best", "Hi", false);
    const limits = {
      chatstyle: { max_completion_tokens: 99 },
      responses: { max_output_tokens: 99 },
      msgstyle: { max_tokens: 99 },
      genstyle: { generationConfig: { maxOutputTokens: 99 } },
    }[caller];
    const init = { body: JSON.stringify({ ...body, ...limits }) };
    const refused = await send(stage.client({ models }), caller, "best", "Hi", false, init);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("99")]);
    expect(stage.sent).toEqual([]);
    const unchecked = await send(stage.client({ models, check: false }), caller, "best", "Hi", false, init);
    expect(unchecked.status).toBe(200);
  },
);

describe("the variables of keys", () => {
  it("are read when a provider is called first, and not before", async () => {
    const stage = startClient();
    const read: string[] = [];
    const env = new Proxy<Record<string, string>>(
      {},
      {
        get(_, name) {
          read.push(String(name));
          return name === "OPENAI_API_KEY" ? "key-of-the-variable" : undefined;
        },
      },
    );
    const fetch = createFetch({
      fetch: stage.options.fetch!,
      env,
      models: { best: ["openai/sim-text", "groq/a"] },
    });
    expect(read).toEqual([]);
    await send(fetch, "chatstyle", "openai/sim-text", "Hi");
    expect(read).toContain("OPENAI_API_KEY");
    expect(read).not.toContain("GROQ_API_KEY");
    expect(stage.sent[0]!.headers.get("authorization")).toBe("Bearer key-of-the-variable");
  });

  it("that may not be read count as missing", async () => {
    const stage = startClient();
    const env = new Proxy<Record<string, string>>(process.env as Record<string, string>, {
      get: () => {
        throw new Error("Requires env access");
      },
    });
    const before = Object.getOwnPropertyDescriptor(process, "env")!;
    Object.defineProperty(process, "env", { ...before, value: env });
    try {
      const fetch = createFetch({ fetch: stage.options.fetch! });
      const response = await send(fetch, "chatstyle", "openai/sim-text", "Hi");
      expect([response.status, await response.text()]).toEqual([
        401,
        expect.stringContaining("OPENAI_API_KEY"),
      ]);
    } finally {
      Object.defineProperty(process, "env", before);
    }
  });
});

it("the address of a provider may be a path of the page", async () => {
  const stage = startClient();
  const page = { href: `${ORIGIN}/app/index.html` };
  const before = Object.getOwnPropertyDescriptor(globalThis, "location");
  Object.defineProperty(globalThis, "location", { configurable: true, value: page });
  try {
    const fetch = stage.client({ providers: { mine: { origin: "/proxy/v1", speaks: ["chatstyle"] } } });
    await send(fetch, "msgstyle", "mine/sim-text", "Hi");
    expect(stage.sent[0]!.url).toBe(`${ORIGIN}/proxy/v1/chat/completions`);
  } finally {
    if (before) Object.defineProperty(globalThis, "location", before);
    else Reflect.deleteProperty(globalThis, "location");
  }
});

it("a request that a model refuses because of its form is adapted once, and so are later ones", async () => {
  const stage = startClient();
  const attempts: unknown[] = [];
  const fetch = stage.client({ onAttempt: ({ status }) => attempts.push(status) });
  const model = "chatstyle/sim-as-gpt-5-mini-unlisted";
  const ask = () =>
    send(fetch, "msgstyle", model, "Hi", false, {
      body: JSON.stringify({ ...requests.msgstyle(model, "Hi", false)[1], temperature: 0.3 }),
    });
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(200);
  expect(attempts.filter((status) => status === 400).length).toBeLessThanOrEqual(1);
});
