import { chatstyle } from "@manifold-gateway/core";
import { textSurface } from "@manifold-gateway/gateway";
import type { Restrictions, RestrictionsChange } from "@manifold-gateway/store";
import {
  MODEL_SURFACES,
  RESTRICTION_NAMES,
  recordOfRestrictions,
} from "@manifold-gateway/store/restrictions";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rules } from "../../../packages/gateway/src/access/restriction-rules.ts";
import { matches } from "../../../packages/gateway/src/catalog/name-patterns.ts";
import { statusOfCode } from "../../../packages/gateway/src/http/codes.ts";
import { surfaces } from "../../../packages/gateway/src/surfaces/all.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";
import { useDatabases } from "../account/databases.ts";

const REF = { accountId: "acc", id: "key" };
const LIFTED: RestrictionsChange = recordOfRestrictions(() => null);
const messages = [{ role: "user", content: "Say hello." }];

it("a key can be restricted to every surface that serves models, and to no other", () => {
  const serving = surfaces.filter(({ routes }) => routes.some(({ generates }) => generates));
  expect(serving.map(({ name }) => name)).toEqual([...MODEL_SURFACES]);
});

/** A value of each restriction that refuses a chat while another request of the key is running. */
const REFUSING: Required<Omit<Restrictions, "cacheSeconds" | "batchBy">> = {
  requestsPerMinute: 1,
  tokensPerMinute: 1,
  concurrentRequests: 1,
  models: ["team/*"],
  surfaces: ["msgstyle"],
  expiresAt: 1,
};

/** A text request of each surface, and the list of its models. */
const SURFACES = {
  chatstyle: {
    path: (_: string) => "/api/chatstyle/v1/chat/completions",
    body: (model: string) => ({ model, messages }),
    models: "/api/chatstyle/v1/models",
    model: (id: string) => `/api/chatstyle/v1/models/${id}`,
    unknown: 400,
  },
  msgstyle: {
    path: (_: string) => "/api/msgstyle/v1/messages",
    body: (model: string) => ({ model, messages, max_tokens: 20 }),
    models: "/api/msgstyle/v1/models",
    model: (id: string) => `/api/msgstyle/v1/models/${id}`,
    unknown: 400,
  },
  genstyle: {
    path: (model: string) => `/api/genstyle/v1beta/models/${model}:generateContent`,
    body: (_: string) => ({ contents: [{ role: "user", parts: [{ text: "Say hello." }] }] }),
    models: "/api/genstyle/v1beta/models",
    model: (id: string) => `/api/genstyle/v1beta/models/${id}`,
    unknown: 400,
  },
  native: {
    path: (_: string) => "/api/v1/text/completions",
    body: (model: string) => ({ model, messages }),
    models: "/api/v1/ai/models",
    model: (id: string) => `/api/v1/ai/models/${id}`,
    unknown: 400,
  },
};
/** A surface that the host has added. */
const added = {
  ...textSurface({ codec: chatstyle, about: "Added.", prefix: "/api/added", path: "/chat" }),
  name: "added",
};
type Name = keyof typeof SURFACES;
const NAMES = Object.keys(SURFACES) as Name[];

describe.each(useDatabases())("restrictions on $name", ({ make }) => {
  let h: Stage;
  let clock = 0;
  beforeAll(async () => {
    clock = Date.now();
    const twin = model("team/other", "chatstyle");
    h = await startStage({
      make,
      models: [twin],
      surfaces: [added],
      now: () => clock,
      limits: { concurrentRequests: 3 },
    });
  });
  afterAll(() => h.close());
  beforeEach(async () => {
    h.simulator.reset();
    await restrict(LIFTED);
    // What was counted for other tests is over.
    clock += 70_000;
  });

  /** Changes the key, and lets every process see it. */
  const restrict = async (change: RestrictionsChange) => {
    expect(await h.store.keys.change(REF, { restrictions: change })).toBe(true);
    clock += 1_000;
  };
  const ask = async (name: Name, id = "sim-chatstyle") => {
    const { path, body } = SURFACES[name];
    const response = await h.call(path(id), body(id));
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };

  describe.each(NAMES)("restrictions of %s", (name) => {
    const { unknown, models, model } = SURFACES[name];

    it("a model that is not allowed for a key does not exist for it", async () => {
      await restrict({ models: ["sim-*"] });
      expect((await ask(name)).status).toBe(200);
      const forbidden = await ask(name, "team/other");
      const missing = await ask(name, "team/nothing");
      expect([forbidden.status, missing.status]).toEqual([unknown, unknown]);
      const told = ({ text }: typeof missing) => JSON.parse(text);
      expect(told(forbidden).code).toBe("model_not_found");
      expect(told(forbidden).errors).toEqual([told(missing).errors[0].replace("team/nothing", "team/other")]);
      expect(h.simulator.ledger.entries.length).toBe(1);
    });

    it("the list shows a key its allowed models only", async () => {
      await restrict({ models: ["team/*"] });
      const list = await (await h.call(models)).text();
      expect(list).toContain("team/other");
      expect(list).not.toContain("sim-");
      expect((await h.call(model("team/other"))).status).toBe(200);
      expect((await h.call(model("sim-chatstyle"))).status).toBe(404);
    });

    it("a key is confined to its surfaces", async () => {
      await restrict({ surfaces: NAMES.filter((one) => one !== name) });
      const refused = await ask(name);
      expect([refused.status, JSON.parse(refused.text).code]).toEqual([403, "surface_not_allowed"]);
      expect((await h.call(models)).status).toBe(403);
      const other = name === "native" ? "chatstyle" : "native";
      expect((await ask(other)).status).toBe(200);
      expect((await h.call("/api/compat/v1/balance")).status).toBe(200);
    });

    it("a key ends when it expires", async () => {
      await restrict({ expiresAt: clock + 5_000 });
      expect((await ask(name)).status).toBe(200);
      clock += 5_000;
      const refused = await ask(name);
      expect([refused.status, JSON.parse(refused.text).code]).toEqual([401, "api_key_expired"]);
    });

    it("requests beyond the limit of a minute are refused until the time that the answer names", async () => {
      await restrict({ requestsPerMinute: 2 });
      expect([(await ask(name)).status, (await ask(name)).status]).toEqual([200, 200]);
      const refused = await ask(name);
      expect([refused.status, JSON.parse(refused.text).code]).toEqual([429, "too_many_requests"]);
      expect(h.simulator.ledger.entries.length).toBe(2);
      const seconds = Number(refused.headers.get("retry-after"));
      clock += seconds * 1_000;
      expect((await ask(name)).status).toBe(200);
    });

    it("tokens beyond the limit of a minute are refused", async () => {
      await restrict({ tokensPerMinute: 5 });
      expect((await ask(name)).status).toBe(200);
      const refused = await ask(name);
      expect([refused.status, JSON.parse(refused.text).code]).toEqual([429, "too_many_tokens"]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(1);
    });

    it("the place of a request is free before its answer ends, whatever the answer", async () => {
      await restrict({ concurrentRequests: 1 });
      expect((await ask(name)).status).toBe(200);
      expect((await ask(name, "team/nothing")).status).toBe(unknown);
      expect((await ask(name)).status).toBe(200);
    });
  });

  it("a key can be kept off a surface that the host has added", async () => {
    const ask = () => h.call("/api/added/chat", { model: "sim-chatstyle", messages });
    expect((await ask()).status).toBe(200);
    await restrict({ surfaces: NAMES });
    expect([(await ask()).status]).toEqual([403]);
  });

  it("the headers of every surface say what is left, on answers and refusals", async () => {
    await restrict({ requestsPerMinute: 2, tokensPerMinute: 100_000 });
    const chat = await ask("chatstyle");
    expect(Object.fromEntries(chat.headers)).toMatchObject({
      "x-ratelimit-limit-requests": "2",
      "x-ratelimit-remaining-requests": "1",
      "x-ratelimit-reset-requests": expect.stringMatching(/^1m[\d.]+s$/),
      "x-ratelimit-limit-tokens": "100000",
      "x-ratelimit-remaining-tokens": expect.stringMatching(/^9\d{4}$/),
    });
    const message = await ask("msgstyle");
    const reset = message.headers.get("anthropic-ratelimit-requests-reset") ?? "";
    expect(Date.parse(reset) - clock).toBeGreaterThan(60_000);
    expect(message.headers.get("anthropic-ratelimit-requests-remaining")).toBe("0");
    expect(message.headers.get("anthropic-ratelimit-tokens-limit")).toBe("100000");
    expect(message.headers.get("x-ratelimit-limit-requests")).toBeNull();
    const refused = await ask("msgstyle");
    expect(refused.headers.get("anthropic-ratelimit-requests-limit")).toBe("2");
    const native = await ask("native");
    expect([native.status, native.headers.get("x-ratelimit-remaining-requests")]).toEqual([429, "0"]);
    const generated = await ask("genstyle");
    expect(JSON.parse(generated.text).error).toMatchObject({
      status: "RESOURCE_EXHAUSTED",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.RetryInfo",
          retryDelay: `${generated.headers.get("retry-after")}s`,
        },
      ],
    });
  });

  it("embeddings, counted tokens, media and assets count as requests", async () => {
    await restrict({ requestsPerMinute: 1 });
    expect((await ask("chatstyle")).status).toBe(200);
    const others: Record<string, object> = {
      "/api/chatstyle/v1/embeddings": { model: "m", input: "x" },
      "/api/msgstyle/v1/messages/count_tokens": { model: "sim-msgstyle", messages },
      "/api/genstyle/v1beta/models/sim-genstyle:countTokens": {},
      "/api/genstyle/v1beta/models/m:embedContent": {},
      "/api/chatstyle/v1/images/generations": { model: "m", prompt: "x" },
      "/api/chatstyle/v1/videos": { model: "m", prompt: "x" },
      "/api/v1/image/generations": { model: "m", prompt: "x" },
      "/api/v1/image/generations/async": { model: "m", prompt: "x" },
      "/api/v1/video/generations": { model: "m", prompt: "x" },
      "/api/v1/audio/text-to-speech": { model: "m", text: "x" },
      "/api/v1/kyc/user/assets": { url: "https://files.example.com/a.png" },
    };
    const told: Record<string, unknown> = {};
    for (const [path, body] of Object.entries(others))
      told[path] = (await (await h.call(path, body)).json()).code;
    expect(told).toEqual(Object.fromEntries(Object.keys(others).map((path) => [path, "too_many_requests"])));
  });

  /** Streams that run until they are read to their end, and a request beside them. */
  const beside = async (count: number) => {
    const { path, body } = SURFACES.chatstyle;
    const slow = [{ role: "user", content: `[[fault:slow=20]] ${"many words ".repeat(10)}` }];
    const open = async () => h.call(path(""), { ...body("sim-chatstyle"), messages: slow, stream: true });
    const streams: Response[] = [];
    for (let i = 0; i < count; i++) streams.push(await open());
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const refused = await ask("msgstyle");
    await Promise.all(streams.map((stream) => stream.text()));
    return [refused.status, refused.headers.get("retry-after"), JSON.parse(refused.text).code];
  };

  it("the limit of a key's requests at one time holds, and its places are free before answers end", async () => {
    await restrict({ concurrentRequests: 2 });
    expect(await beside(2)).toEqual([429, "1", "too_many_concurrent_requests"]);
    expect((await ask("msgstyle")).status).toBe(200);
  });

  it("a key without limits of its own is limited to requests at one time in each process", async () => {
    expect(await beside(3)).toEqual([429, "1", "too_many_concurrent_requests"]);
    expect((await ask("msgstyle")).status).toBe(200);
  });

  it.each(RESTRICTION_NAMES.filter((name) => name !== "cacheSeconds" && name !== "batchBy"))(
    "the restriction %s refuses with the code of its rule",
    async (name) => {
      const database = h.store.keyRates;
      const elsewhere = { keyId: "key", id: "elsewhere", at: clock, tokens: 10 };
      const rates = { requestsPerMinute: 9, tokensPerMinute: 99, concurrentRequests: 9 };
      await database.enter(elsewhere, rates);
      await database.reserve(elsewhere, rates);
      expect((await ask("chatstyle")).status).toBe(200);
      await restrict({ [name]: REFUSING[name] });
      const { status, text } = await ask("chatstyle");
      const { code } = rules[name];
      expect([status, JSON.parse(text).code]).toEqual([statusOfCode(code), code]);
      await database.leave(elsewhere);
    },
  );

  it("limits are kept together with other processes", async () => {
    await restrict({ concurrentRequests: 1 });
    const database = h.store.keyRates;
    const elsewhere = { keyId: "key", id: "elsewhere", at: clock, tokens: 0 };
    await database.enter(elsewhere, { concurrentRequests: 1 });
    expect((await ask("chatstyle")).status).toBe(429);
    await database.leave(elsewhere);
    expect((await ask("chatstyle")).status).toBe(200);
  });

  it("a key without counted limits causes no database query", async () => {
    await restrict({ models: ["*"], surfaces: NAMES, expiresAt: clock + 3_600_000 });
    const { enter } = h.store.keyRates;
    h.store.keyRates.enter = () => Promise.reject(new Error("asked"));
    expect((await ask("chatstyle")).status).toBe(200);
    await restrict({ requestsPerMinute: 5 });
    expect((await ask("chatstyle")).status).toBe(500);
    h.store.keyRates.enter = enter;
    expect((await ask("chatstyle")).status).toBe(200);
  });

  it("requests that are refused for their content are counted", async () => {
    await restrict({ requestsPerMinute: 1 });
    expect((await ask("chatstyle", "team/nothing")).status).toBe(400);
    expect((await ask("chatstyle")).status).toBe(429);
  });
});

describe("patterns of models", () => {
  it.each([
    ["a", "a", true],
    ["a", "ab", false],
    ["*", "", true],
    ["a*", "a", true],
    ["a*", "ba", false],
    ["*a", "ba", true],
    ["a*a", "a", false],
    ["a*b*c", "aXbYc", true],
    ["a*b*c", "aXcYb", false],
    ["team/*-mini", "team/x-mini", true],
    ["a.c", "abc", false],
  ])("whether the pattern %s matches %s is decided", (pattern, id, expected) => {
    expect(matches(pattern, id)).toBe(expected);
  });

  it("a pattern of models takes no longer for many stars", () => {
    expect(matches("*a".repeat(100), `${"a".repeat(1_000)}b`)).toBe(false);
  });
});
