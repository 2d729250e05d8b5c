import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { createSimulator } from "@manifold-gateway/simulator";
import { openTestGateway, type TestGateway } from "@manifold-gateway/testing/gateway";
import { gatewayHandlers, simulatorHandlers, vendorOrigins } from "@manifold-gateway/testing/msw";
import { setupServer } from "msw/node";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const simulator = createSimulator();
const server = setupServer(...simulatorHandlers(simulator));
let service: TestGateway;
beforeAll(async () => {
  service = await openTestGateway();
  server.use(...gatewayHandlers(service));
  server.listen({ onUnhandledFrame: "error" });
});
afterAll(async () => {
  server.close();
  await service.close();
});
beforeEach(() => {
  simulator.reset();
  service.simulator.reset();
});

const hello = [{ role: "user" as const, content: "Hello, wörld 🌍" }];
const answer = "You said: Hello, wörld 🌍";

describe("vendors behind handlers", () => {
  it("the vendors' own clients, at their own addresses, are answered by the simulator, whole and streamed", async () => {
    const apiKey = "any";
    const openai = new OpenAI({ apiKey });
    const model = "sim-text";
    const whole = await openai.chat.completions.create({ model, messages: hello });
    expect(whole.choices[0]?.message.content).toBe(answer);
    const { output_text } = await openai.responses.create({ model, input: hello[0]!.content });
    expect(output_text).toBe(answer);
    const anthropic = new Anthropic({ apiKey });
    const streamed = anthropic.messages.stream({ model, max_tokens: 100, messages: hello });
    expect(await streamed.finalText()).toBe(answer);
    const google = new GoogleGenAI({ apiKey });
    let text = "";
    for await (const part of await google.models.generateContentStream({
      model,
      contents: hello[0]!.content,
    }))
      text += part.text ?? "";
    expect(text).toBe(answer);
    expect(simulator.ledger.entries.map(({ protocol, stream }) => [protocol, stream])).toEqual([
      ["chatstyle", false],
      ["responses", false],
      ["msgstyle", true],
      ["genstyle", true],
    ]);
    expect(simulator.ledger.totals()).toMatchObject({ requests: 4, input: expect.any(Number) });
  });

  it("a fault is one that the client meets: a status, a connection that breaks at once or in a stream", async () => {
    const openai = new OpenAI({ apiKey: "any", maxRetries: 0 });
    const ask = (content: string, stream = false) =>
      openai.chat.completions.create({ model: "sim-text", messages: [{ role: "user", content }], stream });
    await expect(ask("[[fault:status=429]]")).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(ask("[[fault:reset]]")).rejects.toBeInstanceOf(OpenAI.APIConnectionError);
    const cut = (await ask("A long story [[fault:cut=700]]", true)) as AsyncIterable<object>;
    let chunks = 0;
    await expect(
      (async () => {
        for await (const _ of cut) chunks += 1;
      })(),
    ).rejects.toThrow();
    expect(chunks).toBeGreaterThan(0);
    expect(simulator.ledger.last()?.delivered).toBe("cut");
  });

  it("a script decides about requests to come, and a client's retry finds it used up", async () => {
    simulator.script("[[fault:status=503]]", { times: 1 });
    const client = new Anthropic({ apiKey: "any", maxRetries: 1 });
    const reply = await client.messages.create({ model: "sim-text", max_tokens: 100, messages: hello });
    expect(reply.content).toMatchObject([{ type: "text", text: answer }]);
    expect(simulator.ledger.entries.map(({ status }) => status)).toEqual([503, 200]);
  });

  it("handlers stand for every vendor that is known by name, and for no machine of one's own", () => {
    expect(vendorOrigins).toContain("https://api.openai.com");
    expect(vendorOrigins.filter((origin) => /127\.0\.0\.1|localhost/.test(origin))).toEqual([]);
    expect(simulatorHandlers(simulator, ["https://mine.test"])).toHaveLength(1);
  });
});

describe("a gateway behind handlers", () => {
  it("the whole gateway answers clients, and charges what its provider generated", async () => {
    const before = await service.balance();
    const openai = new OpenAI({ apiKey: service.key, baseURL: `${service.origin}/api/chatstyle/v1` });
    const whole = await openai.chat.completions.create({ model: "sim-text", messages: hello });
    expect(whole.choices[0]?.message.content).toBe(answer);
    const anthropic = new Anthropic({ apiKey: service.key, baseURL: `${service.origin}/api/msgstyle` });
    const streamed = anthropic.messages.stream({ model: "sim-text", max_tokens: 100, messages: hello });
    expect(await streamed.finalText()).toBe(answer);
    const { input, output } = service.simulator.ledger.totals();
    expect(before - (await service.balance())).toBe(input + 2 * output);
    expect(simulator.ledger.entries).toEqual([]);
  });

  it("its fetch rejects like any other if the request is aborted before the answer begins", async () => {
    const request = (signal: AbortSignal) => ({
      method: "POST",
      headers: { "x-api-key": service.key, "content-type": "application/json" },
      body: JSON.stringify({ model: "sim-text", max_tokens: 9, messages: hello }),
      signal,
    });
    const path = `${service.origin}/api/msgstyle/v1/messages`;
    const aborted = expect.objectContaining({ name: "AbortError" });
    await expect(service.fetch(path, request(AbortSignal.abort()))).rejects.toEqual(aborted);
    const leaver = new AbortController();
    const answer = service.fetch(path, request(leaver.signal));
    leaver.abort();
    await expect(answer).rejects.toEqual(aborted);
  });

  it("an account of a test that has nothing is refused, as are models that it does not have", async () => {
    const poor = await openTestGateway({ credit: 0, models: ["gpt-x"] });
    const client = new OpenAI({
      apiKey: poor.key,
      baseURL: `${poor.origin}/api/chatstyle/v1`,
      fetch: poor.fetch,
      maxRetries: 0,
    });
    const ask = (model: string) => client.chat.completions.create({ model, messages: hello });
    await expect(ask("gpt-x")).rejects.toMatchObject({ status: 403 });
    await expect(ask("gpt-y")).rejects.toMatchObject({ status: 400 });
    expect(poor.simulator.ledger.entries).toEqual([]);
    await poor.close();
  });
});
