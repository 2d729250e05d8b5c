import type { Transport } from "@manifold-gateway/providers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordLog } from "../../support/log.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, modelOf } from "../../support/text.ts";

const [INPUT, OUTPUT] = [90_000_000, 80_000_000];

const chat = (usage: object): object => ({
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }],
  usage,
});
const vectors = (usage: object): object => ({
  object: "list",
  model: "m",
  data: [{ object: "embedding", index: 0, embedding: [1, 0] }],
  usage,
});

describe("figures of a provider that cannot be", () => {
  let stage: Stage;
  let answer: object;
  const { log, entries } = recordLog();
  const told: object[] = [];
  const transport: Transport = {
    async send() {
      const bytes = Buffer.from(JSON.stringify(answer));
      const body = { bytes: async () => bytes, cancel() {} };
      return { status: 200, headers: { "content-type": "application/json" }, body: body as never };
    },
    close: async () => {},
  };
  beforeAll(async () => {
    stage = await startStage({
      transport,
      log,
      listens: false,
      models: [model("vectors", "chatstyle", { outputModalities: ["embedding"] })],
      observer: { started: () => ({ impossible: (figure) => void told.push(figure) }) },
    });
  });
  beforeEach(() => {
    told.length = 0;
    entries.length = 0;
  });
  afterAll(() => stage.close());

  const usageOf = async () => {
    const { results } = await stage.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    return results[0]?.usage;
  };
  const warned = () => entries.filter(({ level }) => level === "warn");

  it.each([
    [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, ["input", "output"]],
    [{ prompt_tokens: INPUT, completion_tokens: 2, total_tokens: INPUT + 2 }, ["input"]],
    [{ prompt_tokens: 3, completion_tokens: OUTPUT, total_tokens: OUTPUT + 3 }, ["output"]],
  ])("the operator reads of %j in a metric and in a line of the log", async (usage, figures) => {
    answer = chat(usage);
    const messages = [{ role: "user", content: "Hello" }];
    await stage.json("/api/chatstyle/v1/chat/completions", { model: modelOf("chatstyle"), messages });
    expect(await usageOf()).toMatchObject({ estimated: true });
    expect(told).toEqual(figures.map((figure) => ({ provider: "chatstyle", figure })));
    expect(warned()).toEqual([
      {
        level: "warn",
        message: "provider reports impossible usage",
        fields: expect.objectContaining({
          provider: "chatstyle",
          name: modelOf("chatstyle"),
          figures,
          reported: expect.objectContaining({
            input: usage.prompt_tokens,
            output: usage.completion_tokens,
          }),
        }),
      },
    ]);
  });

  it("calls of a tool that were never made are not charged, and the operator reads of them", async () => {
    const counts = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const messages = [{ role: "user", content: "Hello" }];
    for (const [searches, charged] of [
      [INPUT, 0],
      [1_000, 1_000],
    ]) {
      answer = chat({ ...counts, server_tool_use: { web_search_requests: searches } });
      await stage.json("/api/chatstyle/v1/chat/completions", { model: modelOf("chatstyle"), messages });
      expect(await usageOf()).toMatchObject({ input: 3, output: 2, webSearches: charged });
    }
    expect(told).toEqual([{ provider: "chatstyle", figure: "calls" }]);
    expect(warned()).toMatchObject([{ fields: { figures: ["calls"], reported: { webSearches: INPUT } } }]);
  });

  it("figures that can be are charged, and nothing is reported", async () => {
    answer = chat({ prompt_tokens: 3, completion_tokens: 5_000, total_tokens: 5_003 });
    const messages = [{ role: "user", content: "Hello" }];
    await stage.json("/api/chatstyle/v1/chat/completions", { model: modelOf("chatstyle"), messages });
    expect(await usageOf()).toMatchObject({ input: 3, output: 5_000 });
    expect([told, warned()]).toEqual([[], []]);
  });

  it.each([0, INPUT])("%d tokens of an embedded text are estimated and reported", async (tokens) => {
    answer = vectors({ prompt_tokens: tokens, total_tokens: tokens });
    await stage.json("/api/chatstyle/v1/embeddings", { model: "vectors", input: "Hello there" });
    expect(await usageOf()).toMatchObject({ input: 3, estimated: true });
    expect(told).toEqual([{ provider: "chatstyle", figure: "input" }]);
    expect(warned()).toHaveLength(1);
  });
});
