import { createServer, type ServerResponse } from "node:http";
import { defineProvider } from "@manifold-gateway/providers";
import { lookupHash } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

let answer: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  request.resume();
  answer(response);
});
let harness: Stage;
beforeAll(async () => {
  const { origin } = await listen(server);
  harness = await startStage({
    models: [model("counted", "p")],
    providers: new Map([["p", defineProvider("p", { origin, speaks: ["msgstyle"] })]]),
  });
});
afterAll(async () => {
  await harness.close();
  server.closeAllConnections();
  server.close();
});

const count = async () => {
  const messages = [{ role: "user", content: "How many tokens may this be?" }];
  const response = await harness.call("/api/msgstyle/v1/messages/count_tokens", {
    model: "counted",
    messages,
  });
  return { status: response.status, body: await response.json() };
};

it("tokens are counted by the provider", async () => {
  answer = (response) => response.end(JSON.stringify({ input_tokens: 4_711 }));
  expect(await count()).toEqual({ status: 200, body: { input_tokens: 4_711 } });
});

it.each<[string, (response: ServerResponse) => void]>([
  ["breaks off before its answer", (response) => void response.destroy()],
  ["breaks off within it", (response) => void response.write('{"input_', () => response.destroy())],
  ["answers with no JSON", (response) => void response.end("busy")],
  ["sends the call elsewhere", (response) => void response.writeHead(307, { location: "/" }).end()],
  ["answers with more than any count is", (response) => void response.end(" ".repeat(2 * 1024 * 1024))],
  ["cannot count", (response) => void response.writeHead(404).end("{}")],
])("tokens are estimated where the provider %s", async (_, how) => {
  answer = how;
  const { status, body } = await count();
  expect(status).toBe(200);
  expect(body.input_tokens).toBeGreaterThan(0);
  expect(body.input_tokens).toBeLessThan(100);
});

describe("the counting of tokens", () => {
  const POOR = "poor-key-0123456789abcdefghijklmnop";
  const ask = (key: string, body: object = {}) =>
    harness.call(
      "/api/msgstyle/v1/messages/count_tokens",
      { model: "counted", messages: [{ role: "user", content: "Hello" }], ...body },
      { headers: { "x-api-key": key } },
    );

  it("counting for a caller who could not pay for the request never reaches the provider", async () => {
    const at = Date.now();
    await harness.store.accounts.ensure({ id: "poor", name: "poor", at });
    const hash = lookupHash(POOR);
    await harness.store.keys.ensure({ id: "poor", accountId: "poor", name: "p", prefix: "p", hash, at });
    let called = false;
    answer = (response) => {
      called = true;
      response.end("{}");
    };
    const response = await ask(POOR);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "insufficient_balance" });
    expect(called).toBe(false);
  });

  it("counting refuses a body that is not small", async () => {
    const data = "A".repeat(9 * 1024 * 1024);
    const source = { type: "base64", media_type: "image/png", data };
    const response = await ask(KEY, { messages: [{ role: "user", content: [{ type: "image", source }] }] });
    expect(response.status).toBe(413);
  });

  it("counting is refused where it is requested too often", async () => {
    const limited = await startStage({ limits: { counts: 2 } });
    const once = () =>
      limited.call("/api/msgstyle/v1/messages/count_tokens", {
        model: "sim-chatstyle",
        messages: [{ role: "user", content: "Hello" }],
      });
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await once()).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await once()).headers.get("retry-after")).toBe("30");
    await limited.close();
  });
});

describe("one conversation on every surface", () => {
  let simulated: Stage;
  beforeAll(async () => {
    simulated = await startStage();
  });
  afterAll(() => simulated.close());
  const text = "How many tokens may this be, by an estimate or by a count of its provider?";
  const asks = (model: string): [path: string, body: object][] => [
    ["/api/chatstyle/v1/responses/input_tokens", { model, input: text }],
    ["/api/msgstyle/v1/messages/count_tokens", { model, messages: [{ role: "user", content: text }] }],
    [`/api/genstyle/v1beta/models/${model}:countTokens`, { contents: [{ role: "user", parts: [{ text }] }] }],
    [
      `/api/genstyle/v1beta/models/${model}:countTokens`,
      {
        generateContentRequest: { model: `models/${model}`, contents: [{ role: "user", parts: [{ text }] }] },
      },
    ],
  ];
  it.each([
    ["sim-chatstyle", "estimate"],
    ["sim-responses", "provider"],
    ["sim-msgstyle", "provider"],
    ["sim-genstyle", "provider"],
  ])("one conversation counts the same on every surface for a model of %s: %s", async (name, who) => {
    for (const [path, body] of asks(name)) {
      const response = await simulated.call(path, body);
      const { input_tokens, totalTokens } = (await response.json()) as Record<string, number>;
      const counter = response.headers.get("x-token-count");
      expect([path, response.status, input_tokens ?? totalTokens]).toEqual([
        path,
        200,
        Math.ceil(text.length / 4),
      ]);
      if (!("generateContentRequest" in body)) expect([path, counter]).toEqual([path, who]);
    }
  });
});
