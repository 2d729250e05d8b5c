import { createServer } from "node:http";
import { createCatalog, type Model, type Observer } from "@manifold-gateway/gateway";
import {
  defineProvider,
  type ProviderOptions,
  presets,
  type UpstreamProtocol,
} from "@manifold-gateway/providers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, price } from "../../support/text.ts";

let answer: object = {};
const sent: Record<string, unknown>[] = [];
const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  sent.push(JSON.parse(text));
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
});

/** A model for each provider: `openai` is a preset, `plain` is declared, `router` is a router. */
const kinds: Record<string, { preset?: string; more?: Partial<ProviderOptions>; entry?: object }> = {
  openai: { preset: "openai" },
  anthropic: { preset: "anthropic" },
  google: { preset: "google" },
  local: { preset: "ollama" },
  plain: {},
  router: { more: { routes: true } },
  "open-router": { more: { routes: true, unpriced: "forward" } },
  "closed-ids": { more: { unknownIds: "refuse" } },
  priced: { preset: "openai", entry: { price: { ...price, webSearches: 5_000_000_000 } } },
  factored: { preset: "openai", entry: { factors: { service_tier: { priority: 3 } } } },
  free: { preset: "openai", entry: { price: {} } },
};

const unpriced: object[] = [];
const observer: Observer = {
  started: () => ({ unpriced: (told) => void unpriced.push(told) }),
};
let h: Stage;
beforeAll(async () => {
  const { origin } = await listen(server);
  const protocols: UpstreamProtocol[] = ["chatstyle", "responses", "msgstyle", "genstyle"];
  const providers = new Map(
    Object.entries(kinds).map(([id, { preset, more }]) => {
      const { surcharges, unpriced } = preset ? presets[preset]! : {};
      return [id, defineProvider(id, { origin, speaks: protocols, surcharges, unpriced, ...more })];
    }),
  );
  const models: Model[] = [
    ...Object.entries(kinds).map(([id, { entry }]) => modelOf(id, id, `${id}-name`, entry)),
    modelOf("opus", "anthropic", "claude-opus-4-7", {}),
    modelOf("dearer", "plain", "dear-name", { price: { input: 10_000_000, output: 20_000_000 } }),
    modelOf("gemini-old", "google", "gemini-2.5-flash", {}),
  ];
  h = await startStage({ catalog: createCatalog(models), providers, observer });
});
afterAll(async () => {
  await h.close();
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  sent.length = 0;
  unpriced.length = 0;
});

const modelOf = (id: string, provider: string, name: string, entry: object = {}): Model => ({
  id,
  inputModalities: ["text"],
  outputModalities: ["text"],
  isActive: true,
  revision: 1,
  entries: [{ provider, name, priority: 1, isActive: true, price, ...entry }],
});

const RESPONSES = "/api/chatstyle/v1/responses";
const MESSAGES = "/api/msgstyle/v1/messages";
const generate = (model: string) => `/api/genstyle/v1beta/models/${model}:generateContent`;
const messages = [{ role: "user", content: "Hello" }];

const chat = (model: string, more: object = {}) =>
  [CHAT, { model, messages, max_tokens: 10, ...more }] as const;
const respond = (model: string, more: object = {}) =>
  [RESPONSES, { model, input: "Hello", max_output_tokens: 10, ...more }] as const;
const say = (model: string, more: object = {}) =>
  [MESSAGES, { model, messages, max_tokens: 10, ...more }] as const;
const make = (model: string, more: object = {}) => [generate(model), { contents: "Hello", ...more }] as const;

const usage = { input: 1_000, output: 1_000 };
/** 1,000 tokens each way: 3,000 micro-USD at the usual price. */
const USUAL = 3_000;
const chatAnswer = (more: object = {}) => ({
  id: "c",
  model: "whatever",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: 2_000 },
  ...more,
});
const responsesAnswer = (output: object[] = [], more: object = {}) => ({
  id: "resp_1",
  object: "response",
  status: "completed",
  output: [
    ...output,
    { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Hi" }] },
  ],
  usage: { input_tokens: usage.input, output_tokens: usage.output, total_tokens: 2_000 },
  ...more,
});
const messagesAnswer = (used: object = {}, more: object = {}) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  usage: { input_tokens: usage.input, output_tokens: usage.output, ...used },
  ...more,
});
const generated = (more: object = {}, metadata: object = {}) => ({
  candidates: [
    { content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP", groundingMetadata: more },
  ],
  usageMetadata: { promptTokenCount: usage.input, candidatesTokenCount: usage.output, ...metadata },
});

const costOf = (response: Response): number => Math.round(Number(response.headers.get("x-cost")) * 1_000_000);

type Call = readonly [path: string, body: object | string];
const refused = async ([path, body]: Call, headers: Record<string, string> = {}) => {
  const before = sent.length;
  const response = await h.call(path, body, { headers });
  const text = await response.text();
  expect([response.status, text]).toEqual([400, expect.any(String)]);
  expect(sent.length).toBe(before);
  return JSON.parse(text) as { code: string; errors: string[] };
};

describe("a member that the vendor of a preset bills and that has no price", () => {
  it.each<[string, Call, string]>([
    ["work in the background", respond("openai", { background: true }), "background"],
    ["another tier", chat("openai", { service_tier: "turbo" }), "factors.service_tier.turbo"],
    ["another speed", say("anthropic", { speed: "ludicrous" }), "factors.speed.ludicrous"],
    ["another region", say("anthropic", { inference_geo: "eu" }), "factors.inference_geo.eu"],
    ["pictures as a tool", respond("openai", { tools: [{ type: "image_generation" }] }), "tools.0"],
    ["a tool that nobody knows", respond("openai", { tools: [{ type: "mind_reader" }] }), "mind_reader"],
    ["a second model that is asked", say("anthropic", { tools: [{ type: "advisor_20260101" }] }), "tools.0"],
    ["a tool of the wire by its name", make("google", { tools: [{ retrieval: {} }] }), "retrieval"],
    ["a search of a free model", respond("free", { tools: [{ type: "web_search" }] }), "price.webSearches"],
  ])("a request is refused for %s, naming the member and the setting", async (_, call, named) => {
    const { code, errors } = await refused(call);
    expect(code).toBe("unpriced_member");
    expect(errors.join()).toContain(named);
  });

  it("a request is also refused for a flag of the beta header", async () => {
    const { errors } = await refused(say("openai"), { "anthropic-beta": "x, fast-mode-2026-02-01" });
    expect(errors.join()).toContain("fast-mode-2026-02-01");
  });

  it.each<[string, Call]>([
    ["background", respond("plain", { background: true })],
    ["tier", chat("plain", { service_tier: "turbo" })],
    ["tools", respond("local", { tools: [{ type: "mind_reader" }] })],
  ])("an unpriced member is forwarded to a provider that is not that vendor: %s", async (_, call) => {
    answer = call[0] === CHAT ? chatAnswer() : responsesAnswer();
    expect((await h.call(...call)).status).toBe(200);
    expect(sent).toMatchObject([Object.fromEntries(Object.entries(call[1]).filter(([k]) => k !== "model"))]);
  });
});

describe("the charge for hosted tools", () => {
  const search = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } };
  const page = { ...search, action: { type: "open_page" } };

  it.each<[string, Call, object, number]>([
    [
      "searches by their number, pages that were opened by nothing",
      respond("openai", { tools: [{ type: "web_search" }] }),
      responsesAnswer([search, search, page]),
      20_000,
    ],
    [
      "searches at the entry's own price",
      respond("priced", { tools: [{ type: "web_search" }] }),
      responsesAnswer([search]),
      5_000,
    ],
    [
      "files that were searched",
      respond("openai", { tools: [{ type: "file_search", vector_store_ids: ["vs"] }] }),
      responsesAnswer([{ type: "file_search_call", id: "fs" }]),
      2_500,
    ],
    [
      "containers once each",
      respond("openai", { tools: [{ type: "code_interpreter", container: { type: "auto" } }] }),
      responsesAnswer([
        { type: "code_interpreter_call", id: "a", container_id: "c1" },
        { type: "code_interpreter_call", id: "b", container_id: "c1" },
      ]),
      30_000,
    ],
    [
      "searches that the usage of a message counts",
      say("anthropic", { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 50 }] }),
      messagesAnswer({ server_tool_use: { web_search_requests: 50 } }),
      500_000,
    ],
    [
      "queries that ground an answer",
      make("google", { tools: [{ googleSearch: {} }] }),
      generated({ webSearchQueries: ["a", "b"] }),
      28_000,
    ],
    [
      "a grounded answer of the older generation once",
      make("gemini-old", { tools: [{ google_search: {} }] }),
      generated({ webSearchQueries: ["a", "b"] }),
      35_000,
    ],
    [
      "a search that a member of the request switches on",
      chat("openai", { web_search_options: {} }),
      chatAnswer(),
      10_000,
    ],
    [
      "nothing where none was called",
      respond("openai", { tools: [{ type: "web_search" }] }),
      responsesAnswer(),
      0,
    ],
  ])("the charge for hosted tools is %s", async (_, call, body, more) => {
    answer = body;
    const response = await h.call(...call);
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    expect(costOf(response)).toBe(USUAL + more);
    expect(await h.store.money.audit()).toEqual([]);
  });

  it("the charge for hosted tools is the same in a stream as in a whole answer, and in translation", async () => {
    h.simulator.reset();
    answer = responsesAnswer([search]);
    const whole = await h.call(...respond("openai", { tools: [{ type: "web_search" }], stream: true }));
    await whole.text();
    await h.settled();
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    expect(results[0]).toMatchObject({ cost: USUAL + 10_000, usage: { webSearches: 1 } });
  });

  it("hosted tools are in the hold before the call, as often as the request allows", async () => {
    const explain = async (call: Call) => {
      const response = await h.call(...call, { headers: { "x-explain": "true" } });
      return ((await response.json()) as { reservation: number }).reservation;
    };
    const tool = { type: "web_search_20250305", name: "web_search" };
    const bare = await explain(say("anthropic"));
    const some = await explain(say("anthropic", { tools: [{ ...tool, max_uses: 3 }] }));
    const open = await explain(say("anthropic", { tools: [tool] }));
    expect(some - bare).toBeGreaterThan(3 * 0.01);
    expect(open - bare).toBeGreaterThan(10 * 0.01);
  });
});

describe("the charge for modes", () => {
  it.each<[string, Call, object, number]>([
    [
      "priority at twice the price",
      chat("openai", { service_tier: "priority" }),
      chatAnswer({ service_tier: "priority" }),
      2,
    ],
    ["priority at the entry's own factor", chat("factored", { service_tier: "priority" }), chatAnswer(), 3],
    [
      "flex at half the price",
      chat("openai", { service_tier: "flex" }),
      chatAnswer({ service_tier: "flex" }),
      0.5,
    ],
    [
      "the dearer where another was had",
      chat("openai", { service_tier: "flex" }),
      chatAnswer({ service_tier: "default" }),
      1,
    ],
    ["the answer's where none was asked for", chat("openai"), chatAnswer({ service_tier: "priority" }), 2],
    [
      "the usual by its name",
      chat("openai", { service_tier: "auto" }),
      chatAnswer({ service_tier: "default" }),
      1,
    ],
    ["speed by the model", say("opus", { speed: "fast" }), messagesAnswer({ speed: "fast" }), 6],
    [
      "speed and region together",
      say("anthropic", { speed: "fast", inference_geo: "us" }),
      messagesAnswer(),
      2.2,
    ],
    [
      "the tier of a response",
      respond("openai", { service_tier: "priority" }),
      responsesAnswer([], { service_tier: "priority" }),
      2,
    ],
    [
      "the tier of generated content",
      make("google", { serviceTier: "PRIORITY" }),
      generated({}, { serviceTier: "PRIORITY" }),
      2,
    ],
  ])("the charge for a mode is %s", async (_, call, body, factor) => {
    answer = body;
    const response = await h.call(...call);
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    expect(costOf(response)).toBe(Math.round(USUAL * factor));
    expect(await h.store.money.audit()).toEqual([]);
  });
});

describe("an answer by another model than the priced one", () => {
  it("an answer is charged at the price of the model that it names, where that is dearer", async () => {
    answer = chatAnswer({ model: "dear-name" });
    expect(costOf(await h.call(...chat("plain")))).toBe(10 * USUAL);
    answer = chatAnswer({ model: "plain-name" });
    expect(costOf(await h.call(...chat("dearer")))).toBe(10 * USUAL);
  });

  it.each([["plain-name-2026-01-01"], ["vendor/plain-name"], ["plain-name:latest"], ["PLAIN-NAME"]])(
    "an answer is from the same model by the name %s",
    async (model) => {
      answer = chatAnswer({ model });
      expect(costOf(await h.call(...chat("openai")))).toBe(USUAL);
      const before = unpriced.length;
      answer = chatAnswer({ model });
      await h.call(...chat("plain"));
      expect(unpriced.slice(before)).toEqual([]);
    },
  );

  it.each<[string, Call, object, string]>([
    ["model", chat("plain"), chatAnswer({ model: "somebody-else" }), "model"],
    ["mode", chat("plain"), chatAnswer({ model: "plain-name", service_tier: "turbo" }), "mode"],
    [
      "calls",
      say("plain"),
      messagesAnswer({ server_tool_use: { web_search_requests: 2 } }, { model: "plain-name" }),
      "calls",
    ],
  ])("an answer that names a model without a price is counted: %s", async (_, call, body, item) => {
    answer = body;
    await h.call(...call);
    expect(unpriced).toEqual([{ provider: "plain", item }]);
  });
});

describe("members that steer a router", () => {
  it.each(["route", "plugins", "preset", "fallbacks", "fallback_models", "extra_body"])(
    "a member that steers a router never reaches one: %s",
    async (name) => {
      const { errors } = await refused(chat("router", { [name]: ["x"] }));
      expect(errors.join()).toContain(`${name}: `);
    },
  );

  it("members that steer a router reach one whose operator allows it, and a provider that is not a router", async () => {
    answer = chatAnswer();
    for (const model of ["open-router", "plain"])
      expect((await h.call(...chat(model, { route: ["x"] }))).status).toBe(200);
    expect(sent).toMatchObject([{ route: ["x"] }, { route: ["x"] }]);
  });
});

describe("ids of objects that a vendor stores", () => {
  const OTHER = "other-key-0123456789abcdef";
  beforeAll(async () => {
    const { lookupHash, prefixOf } = await import("@manifold-gateway/store");
    const at = Date.now();
    await h.store.accounts.ensure({ id: "other", name: "other", at });
    await h.store.accounts.credit({ accountId: "other", amount: 1e9, kind: "topup", reference: "o", at });
    const key = {
      id: "other-key",
      accountId: "other",
      name: "o",
      prefix: prefixOf(OTHER),
      hash: lookupHash(OTHER),
      at,
    };
    await h.store.keys.ensure(key);
    answer = responsesAnswer([{ type: "code_interpreter_call", id: "ci_1", container_id: "cntr_mine" }], {
      id: "resp_mine",
      conversation: { id: "conv_mine" },
    });
    await (await h.call(...respond("plain"))).text();
    answer = messagesAnswer({}, { container: { id: "container_mine" } });
    await (await h.call(...say("plain"))).text();
  });

  const calls: [string, Call][] = [
    ["an earlier answer", respond("plain", { previous_response_id: "resp_mine" })],
    ["a conversation", respond("plain", { conversation: "conv_mine" })],
    ["a conversation as a record", respond("plain", { conversation: { id: "conv_mine" } })],
    ["an item", respond("plain", { input: [{ type: "item_reference", id: "msg_1" }] })],
    ["a container", respond("plain", { tools: [{ type: "code_interpreter", container: "cntr_mine" }] })],
    ["a container of messages", say("plain", { container: "container_mine" })],
  ];
  it.each(calls)("an id that another account was given is refused: %s", async (_, call) => {
    const { code } = await refused(call, { "x-api-key": OTHER });
    expect(code).toBe("foreign_id");
  });

  it.each(calls)("an id is found where its member is written with an escape: %s", async (_, [path, body]) => {
    const escaped = JSON.stringify(body).replace(/(?<=")[a-z_]+(?=":)/g, (name) =>
      name === "model" ? name : name.replace(/^./, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
    );
    const { code } = await refused([path, escaped], { "x-api-key": OTHER });
    expect(code).toBe("foreign_id");
  });

  it.each(calls)("an id that this account was given passes: %s", async (_, call) => {
    answer = call[0] === MESSAGES ? messagesAnswer() : responsesAnswer();
    expect((await h.call(...call)).status).toBe(200);
  });

  it("an id that no answer has held is forwarded, or refused where the provider's setting says so", async () => {
    answer = responsesAnswer();
    expect((await h.call(...respond("plain", { previous_response_id: "resp_unseen" }))).status).toBe(200);
    const { code } = await refused(respond("closed-ids", { previous_response_id: "resp_unseen" }));
    expect(code).toBe("unknown_id");
    for (const [name, call] of [
      [
        "files of a message",
        say("closed-ids", {
          messages: [
            { role: "user", content: [{ type: "document", source: { type: "file", file_id: "file_1" } }] },
          ],
        }),
      ],
      ["a prompt", respond("closed-ids", { prompt: { id: "pmpt_1" } })],
      [
        "vector stores",
        respond("closed-ids", { tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] }),
      ],
      ["cached content", make("closed-ids", { cachedContent: "cachedContents/1" })],
      [
        "a file",
        make("closed-ids", {
          contents: [{ parts: [{ fileData: { fileUri: "https://x.example/v1beta/files/abc" } }] }],
        }),
      ],
    ] as const)
      expect([name, (await refused(call)).code]).toEqual([name, "unknown_id"]);
  });

  it("ids of an answer that the vendor does not store are not kept", async () => {
    answer = responsesAnswer([], { id: "resp_gone", store: false });
    await (await h.call(...respond("plain", { store: false }))).text();
    answer = responsesAnswer();
    const call = respond("plain", { previous_response_id: "resp_gone" });
    expect((await h.call(...call, { headers: { "x-api-key": OTHER } })).status).toBe(200);
  });
});
