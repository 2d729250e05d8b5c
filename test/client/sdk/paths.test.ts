import Anthropic from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { drivers } from "./drivers/index.ts";
import { failureOf, world } from "./world.ts";

const apiKey = "unused";

describe("paths that need a server, or that the client lacks", () => {
  const { send, simulator } = world();
  const openai = new OpenAI({ fetch: send, apiKey, maxRetries: 0 });
  const anthropic = new Anthropic({ fetch: send, apiKey, maxRetries: 0 });
  const genai = new GoogleGenAI({ apiKey, httpOptions: { fetch: send } });
  const file = new File(["text"], "a.txt");
  const calls: [
    what: string,
    call: () => PromiseLike<unknown>,
    kind: abstract new (...args: never[]) => Error,
  ][] = [
    ["openai's files", () => openai.files.create({ file, purpose: "batch" }), OpenAI.NotFoundError],
    [
      "openai's edits of images",
      () => openai.images.edit({ image: file, prompt: "Hi", model: "chatstyle/a" }),
      OpenAI.NotFoundError,
    ],
    [
      "openai's older completions",
      () => openai.completions.create({ prompt: "Hi", model: "chatstyle/a" }),
      OpenAI.NotFoundError,
    ],
    ["openai's videos", () => openai.videos.create({ prompt: "Hi" }), OpenAI.NotFoundError],
    ["openai's list of models", () => openai.models.list(), OpenAI.NotFoundError],
    ["openai's stored responses", () => openai.responses.retrieve("resp_1"), OpenAI.NotFoundError],
    ["anthropic's batches", () => anthropic.messages.batches.retrieve("batch_1"), Anthropic.NotFoundError],
    ["genai's caches", () => genai.caches.get({ name: "cachedContents/a" }), ApiError],
  ];
  it.each(calls)(
    "%s get a 404 that names the path and what there is, and nothing is sent",
    async (_, call, kind) => {
      const failure = await failureOf(Promise.resolve(call()));
      expect(failure).toBeInstanceOf(kind);
      expect(failure).toMatchObject({ status: 404 });
      expect(String(failure)).toMatch(
        /(GET|POST) \/\S+: the client does not serve this path.*chat\/completions/,
      );
      expect(simulator.ledger.entries).toEqual([]);
    },
  );
});

describe("what tells the protocol", () => {
  it("the end of the path does, whatever host and prefix an SDK is given", async () => {
    const { send, simulator } = world();
    for (const origin of [
      "http://127.0.0.1:9/api/chatstyle",
      "https://api.vendor.test",
      "https://h.test/a/b",
    ]) {
      const openai = new OpenAI({ fetch: send, apiKey, baseURL: `${origin}/v1` });
      const anthropic = new Anthropic({ fetch: send, apiKey, baseURL: origin });
      const genai = new GoogleGenAI({ apiKey, httpOptions: { fetch: send, baseUrl: origin } });
      const messages = [{ role: "user" as const, content: "Hi" }];
      await openai.chat.completions.create({ model: "msgstyle/sim-text", messages });
      await openai.responses.create({ model: "msgstyle/sim-text", input: "Hi" });
      await anthropic.messages.create({ model: "genstyle/sim-text", max_tokens: 99, messages });
      await genai.models.generateContent({ model: "msgstyle/sim-text", contents: "Hi" });
    }
    expect(simulator.ledger.entries.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });

  it.each(drivers)("$name reaches a model whose name has slashes and colons", async (driver) => {
    const { send, options, simulator } = world();
    for (const stream of [false, true]) {
      const answer = await driver
        .open({ send, options, model: "msgstyle/vendors/sim-text:8b", stream })
        .say("Hi");
      expect(answer.text).toContain("Hi");
      expect(simulator.ledger.last()?.model).toBe("vendors/sim-text:8b");
    }
  });
});
