import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

let h: Stage;
beforeAll(async () => {
  h = await startStage({
    models: [
      model("unpriced", "chatstyle", {
        entries: [{ provider: "chatstyle", name: "x", priority: 1, isActive: true }],
      }),
      model("unserved", "nobody"),
      model("retired", "chatstyle", { isActive: false }),
    ],
  });
});
afterAll(() => h.close());

const user = [{ role: "user", content: "hi" }];
const ENDPOINTS = {
  chat: ["/api/chatstyle/v1/chat/completions", { messages: user }],
  responses: ["/api/chatstyle/v1/responses", { input: "hi" }],
  messages: ["/api/msgstyle/v1/messages", { max_tokens: 100, messages: user }],
  native: ["/api/v1/text/completions", { messages: user }],
} as const;

const ask = (endpoint: keyof typeof ENDPOINTS, over: object) =>
  h.call(ENDPOINTS[endpoint][0], { ...ENDPOINTS[endpoint][1], ...over });

describe.each(Object.keys(ENDPOINTS) as (keyof typeof ENDPOINTS)[])("refusals of %s", (endpoint) => {
  it.each([
    ["no model", { model: undefined }, "model"],
    ["a model of a wrong type", { model: 7 }, "model"],
    ["an unknown model", { model: "constructor" }, "constructor"],
    ["an unpriced model", { model: "unpriced" }, "unpriced"],
    ["an unserved model", { model: "unserved" }, "unserved"],
    ["an inactive model", { model: "retired" }, "retired"],
    ["a temperature of a wrong type", { model: "sim-chatstyle", temperature: "hot" }, "temperature"],
  ])("a request is refused: %s", async (_, over, named) => {
    const before = h.simulator.ledger.entries.length;
    const response = await ask(endpoint, over);
    const body = await response.json();
    expect(response.status).toBe(400);
    expect(body).toMatchObject({ status: 400, success: false, path: ENDPOINTS[endpoint][0] });
    expect(body.errors.join(" ")).toContain(named);
    // Refused before anything was called or charged.
    expect(h.simulator.ledger.entries.length).toBe(before);
    expect((await h.balance()).held).toBe(0);
  });

  it("malformed JSON is refused", async () => {
    const response = await h.call(ENDPOINTS[endpoint][0], '{"model": "x", ');
    expect(response.status).toBe(400);
    expect((await response.json()).errors[0]).toContain("not valid JSON");
  });

  it.each(["[]", '"text"', "null", "7", ""])("a body that is not an object is refused: %s", async (body) => {
    const response = await h.call(ENDPOINTS[endpoint][0], body, { method: "POST" });
    expect(response.status).toBe(400);
  });

  it("nesting beyond the limit is refused", async () => {
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const response = await h.call(ENDPOINTS[endpoint][0], `{"model":"sim-chatstyle","x":${deep}}`);
    expect(response.status).toBe(400);
    expect((await response.json()).errors[0]).toContain("nested deeper");
  });

  it("a prototype name is refused", async () => {
    const response = await h.call(ENDPOINTS[endpoint][0], '{"model":"sim-chatstyle","\\u005f_proto__":{}}');
    expect(response.status).toBe(400);
  });

  it("a content type or encoding other than JSON text is refused", async () => {
    const post = (headers: Record<string, string>) => h.call(ENDPOINTS[endpoint][0], "{}", { headers });
    expect((await post({ "content-type": "application/xml" })).status).toBe(415);
    expect((await post({ "content-encoding": "compress" })).status).toBe(415);
  });

  it("invalid UTF-8 is refused", async () => {
    const response = await fetch(h.origin + ENDPOINTS[endpoint][0], {
      method: "POST",
      headers: { "x-api-key": "test-key-0123456789abcdef", "content-type": "application/json" },
      body: new Uint8Array([123, 34, 255, 34, 125]),
    });
    expect(response.status).toBe(400);
  });
});

describe("refusals of one surface", () => {
  it("the messages surface needs max_tokens", async () => {
    const response = await ask("messages", { model: "sim-msgstyle", max_tokens: undefined });
    const body = await response.json();
    expect(response.status).toBe(400);
    expect(body.errors[0]).toContain("max_tokens");
    expect(body.type).toBe("error");
    expect(body.error.type).toBe("invalid_request_error");
  });

  it("the messages surface refuses a thread for models of another protocol in words that clients know", async () => {
    const response = await ask("messages", { model: "sim-chatstyle", thread: { type: "create" } });
    expect(response.status).toBe(400);
    expect((await response.json()).error.details).toEqual({
      error_code: "thread_unsupported_request",
      unsupported: ["thread"],
    });
  });

  it.each([
    { messages: [] },
    { messages: [{ role: "robot", content: "hi" }] },
    { messages: [{ role: "user", content: "" }] },
    { temperature: 2.1 },
    { temperature: -0.1 },
    { maxTokens: 0 },
    { maxTokens: 1.5 },
  ])("the native surface refuses %o", async (over) => {
    expect((await ask("native", { model: "sim-chatstyle", ...over })).status).toBe(400);
  });

  it("the refusal of a doubled version says what to fix", async () => {
    const response = await h.call("/api/genstyle/v1beta/v1beta/models/sim-genstyle:generateContent", {
      contents: "hi",
    });
    expect(response.status).toBe(404);
    expect((await response.json()).errors[0]).toMatch(/twice.*base URL/);
  });

  it("an unknown route and an unknown method are refused", async () => {
    for (const path of ["/nothing", "/api/chatstyle/v1/nothing", "/api/genstyle/v1beta/models/x:nothing"]) {
      const response = await h.call(path, {});
      expect([path, response.status, (await response.json()).success]).toEqual([path, 404, false]);
    }
  });

  it("a refusal names what a target cannot take by the caller's own place", async () => {
    const audio = { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } };
    const response = await ask("chat", {
      model: "sim-msgstyle",
      messages: [{ role: "user", content: [{ type: "text", text: "hear" }, audio] }],
    });
    expect(response.status).toBe(400);
    expect((await response.json()).errors[0]).toMatch(/messages\.0\.content\.1.*sim-msgstyle.*audio/);
  });
});

describe("the refusal of a body that is too large", () => {
  it("a body that is too large is refused, and its connection is not used again", async () => {
    const text = "x".repeat(5 * 1024 * 1024);
    const response = await ask("chat", {
      model: "sim-chatstyle",
      messages: [{ role: "user", content: text }],
    });
    expect(response.status).toBe(413);
    const again = await h.call("/api/v1/ai/models");
    expect(again.status).toBe(200);
  });
});
