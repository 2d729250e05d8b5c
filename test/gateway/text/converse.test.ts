import { createServer, type IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { defineProvider, type ProviderOptions } from "@manifold-gateway/providers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { binaryFrame, exceptionFrame } from "../../support/binary-frames.ts";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model, price } from "../../support/text.ts";

const MESSAGES = "/api/msgstyle/v1/messages";
const NAME = "us.vendor.model-v1:0";
const KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "aws-secret-0123456789" };

interface Seen {
  path: string;
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

let origin: string;
let close: () => Promise<void>;
let stage: Stage;
let seen: Seen[] = [];
let answer: { status?: number; headers?: Record<string, string>; body: string | Buffer };

beforeAll(async () => {
  const server = await listen(
    createServer((request, response) => {
      let text = "";
      request.on("data", (piece) => {
        text += piece;
      });
      request.on("end", () => {
        seen.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
        const { status = 200, headers = { "content-type": "application/json" }, body } = answer;
        response.writeHead(status, headers).end(body);
      });
    }),
  );
  origin = server.origin;
  close = server.close;
});
afterEach(async () => {
  await stage.close();
  seen = [];
});
afterAll(() => close());

/** A gateway whose model `m` is served on the converse wire. */
async function open(more: Partial<ProviderOptions> = {}, traits = {}): Promise<Stage> {
  const provider = defineProvider("p", { origin, speaks: ["conversestyle"], key: "bedrock-key", ...more });
  const entry = { provider: "p", name: NAME, priority: 1, isActive: true, price, traits };
  stage = await startStage({
    models: [model("m", "", { entries: [entry] })],
    providers: new Map([["p", provider]]),
  });
  return stage;
}

const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 12, cacheReadInputTokens: 7 };
const REPLY = JSON.stringify({
  output: { message: { role: "assistant", content: [{ text: "hello" }] } },
  stopReason: "end_turn",
  usage,
  metrics: { latencyMs: 5 },
});
const frame = (type: string, event: object): Buffer =>
  binaryFrame(
    { ":event-type": type, ":content-type": "application/json", ":message-type": "event" },
    Buffer.from(JSON.stringify(event)),
  );
const BEGUN = [
  frame("messageStart", { role: "assistant", p: "abcd" }),
  frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "hello ß" }, p: "abcdefghij" }),
];
const EVENTS = [
  ...BEGUN,
  frame("contentBlockStop", { contentBlockIndex: 0 }),
  frame("messageStop", { stopReason: "end_turn" }),
  frame("metadata", { usage, metrics: { latencyMs: 5 } }),
];
const streamed = (frames: Buffer[]): typeof answer => ({
  headers: { "content-type": "application/vnd.amazon.eventstream" },
  body: Buffer.concat(frames),
});

const ask = { model: "m", messages: [{ role: "user", content: "hello ÿ" }] };

describe("a request on the converse wire", () => {
  it("has the model in its path and the key in its header", async () => {
    answer = { body: REPLY };
    const { call } = await open();
    const reply = await (await call(CHAT, { ...ask, max_tokens: 9, temperature: 0.5 })).json();
    expect(reply.choices[0]).toMatchObject({ message: { content: "hello" }, finish_reason: "stop" });
    expect(seen[0]?.path).toBe(`/model/${encodeURIComponent(NAME)}/converse`);
    expect(seen[0]?.headers.authorization).toBe("Bearer bedrock-key");
    expect(seen[0]?.body).toEqual({
      messages: [{ role: "user", content: [{ text: "hello ÿ" }] }],
      inferenceConfig: { maxTokens: 9, temperature: 0.5 },
    });
  });

  it("is signed with the account's keys", async () => {
    answer = { body: REPLY };
    const { call } = await open({ key: undefined, auth: { kind: "aws", region: "eu-west-1", ...KEYS } });
    expect((await call(CHAT, ask)).status).toBe(200);
    expect(seen[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d+\/eu-west-1\/bedrock\//,
    );
  });

  it("separates results from text, for a model that takes nothing beside them", async () => {
    answer = { body: REPLY };
    const { call } = await open({}, { userAfterResults: false, resultJson: true });
    const tools = [{ name: "look", input_schema: { type: "object", properties: {} } }];
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "look", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "seen" },
          { type: "text", text: "and now?" },
        ],
      },
    ];
    const response = await call(MESSAGES, { model: "m", max_tokens: 5, tools, messages });
    expect(response.status).toBe(200);
    const sent = seen[0]?.body.messages as JsonObject[];
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(sent[2]?.content).toEqual([
      { toolResult: { toolUseId: "c1", content: [{ json: { output: "seen" } }] } },
    ]);
    expect(sent[4]?.content).toEqual([{ text: "and now?" }]);
  });
});

describe("a stream on the converse wire", () => {
  it("arrives in binary frames and is charged", async () => {
    answer = streamed(EVENTS);
    const { call, store, settled } = await open();
    const text = await (await call(CHAT, { ...ask, stream: true })).text();
    expect(text).toContain('"content":"hello ß"');
    expect(seen[0]?.path).toBe(`/model/${encodeURIComponent(NAME)}/converse-stream`);
    expect(seen[0]?.headers.accept).toBe("application/vnd.amazon.eventstream");
    expect(seen[0]?.body).not.toHaveProperty("stream");
    await settled();
    const { results } = await store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    expect(results[0]).toMatchObject({
      status: "succeeded",
      usage: { input: 10, output: 2, cacheRead: 7 },
    });
    expect(await store.money.audit()).toEqual([]);
  });

  it("ends with the provider's error where an exception comes in it, and before content has its status", async () => {
    const { call, settled } = await open();
    answer = streamed([...BEGUN, exceptionFrame("throttlingException", "Too many.")]);
    const text = await (await call(MESSAGES, { ...ask, max_tokens: 5, stream: true })).text();
    expect(text).toContain('"type":"rate_limit_error","message":"Too many."');
    answer = streamed([exceptionFrame("throttlingException", "Too many.")]);
    expect((await call(CHAT, { ...ask, stream: true })).status).toBe(429);
    await settled();
  });

  it("is a fault of the provider if a frame is damaged", async () => {
    const { call, store, settled } = await open();
    const damaged = Buffer.from(EVENTS[2] as Buffer);
    damaged[30] = (damaged[30] ?? 0) ^ 1;
    answer = streamed([...BEGUN, damaged, ...EVENTS.slice(3)]);
    const text = await (await call(CHAT, { ...ask, stream: true })).text();
    expect(text).toContain("The provider's response could not be decoded.");
    await settled();
    const { results } = await store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    expect(results[0]).toMatchObject({ status: "failed" });
  });
});

describe("a refusal on the converse wire", () => {
  it.each([
    [403, "UnrecognizedClientException", "authentication_error"],
    [403, "AccessDeniedException", "permission_error"],
    [400, "ServiceQuotaExceededException:http://internal.amazon.com/coral/", "rate_limit_error"],
    [424, "ModelErrorException", "api_error"],
    [400, "ValidationException", "invalid_request_error"],
  ])("%i %s is told by its header, in the form of the caller's protocol: %s", async (status, name, type) => {
    const { call } = await open();
    answer = {
      status,
      headers: { "content-type": "application/json", "x-amzn-errortype": name },
      body: JSON.stringify({ message: "Not so." }),
    };
    const response = await call(MESSAGES, { ...ask, max_tokens: 5 });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ type: "error", error: { type, message: "Not so." } });
  });
});
