import { GoogleGenAI } from "@google/genai";
import { createManifold } from "@manifold-gateway/client/ai-sdk";
import { embed, embedMany } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { type Options, providers, startClient } from "./stage.ts";

/** The protocols whose providers embed. */
const upstreams = ["chatstyle", "genstyle"] as const;

const start = (options: Options = {}) => {
  const stage = startClient();
  const fetch = stage.client(options);
  return {
    ...stage,
    openai: new OpenAI({ apiKey: "unused", fetch, maxRetries: 0 }),
    genai: new GoogleGenAI({ apiKey: "unused", httpOptions: { fetch } }),
    manifold: createManifold({ ...stage.options, ...options }),
  };
};

type Started = ReturnType<typeof start>;
const texts = ["one", "two", "three"];

/** The vectors of texts by each SDK. */
const callers: Record<
  string,
  (stage: Started, model: string, dimensions?: number) => Promise<(number[] | undefined)[]>
> = {
  openai: async ({ openai }, model, dimensions) =>
    (await openai.embeddings.create({ model, input: texts, ...(dimensions && { dimensions }) })).data.map(
      ({ embedding }) => embedding,
    ),
  genai: async ({ genai }, model, dimensions) =>
    (
      await genai.models.embedContent({
        model,
        contents: texts,
        ...(dimensions && { config: { outputDimensionality: dimensions } }),
      })
    ).embeddings?.map(({ values }) => values) ?? [],
  "the AI SDK": async ({ manifold }, model) =>
    (await embedMany({ model: manifold.embeddingModel(model), values: texts })).embeddings,
};

describe.each(Object.keys(callers))("embeddings by %s", (caller) => {
  const vectors = callers[caller]!;

  it.each(upstreams)("are one vector for each text by a provider of %s, in their order", async (upstream) => {
    const stage = start();
    const model = `${upstream}/sim-embedding`;
    const all = await vectors(stage, model);
    expect(all).toHaveLength(3);
    const { openai } = stage;
    const single = await openai.embeddings.create({ model, input: texts[1]!, encoding_format: "float" });
    for (const [i, value] of (all[1] ?? []).entries())
      expect(value).toBeCloseTo(single.data[0]?.embedding[i] ?? Number.NaN, 5);
  });

  it("of a model that is unknown are the SDK's own error, and nothing is sent", async () => {
    const stage = start();
    await expect(vectors(stage, "nowhere/model")).rejects.toSatisfy(
      (error: { status?: number; statusCode?: number }) => (error.status ?? error.statusCode) === 404,
    );
    expect(stage.sent).toEqual([]);
  });

  it("of a provider without embeddings are status 404 that names the provider, and nothing is sent", async () => {
    const stage = start();
    await expect(vectors(stage, "msgstyle/sim-text")).rejects.toThrow(/'msgstyle' serves no embeddings/);
    expect(stage.sent).toEqual([]);
  });

  it.each(upstreams)("have the provider's error of %s as the SDK's own", async (upstream) => {
    const stage = start();
    stage.simulator.script("[[fault:status=400]]", { times: 1 });
    await expect(vectors(stage, `${upstream}/sim-embedding`)).rejects.toSatisfy(
      (error: { status?: number; statusCode?: number }) => (error.status ?? error.statusCode) === 400,
    );
  });
});

it.each(upstreams)("the length of vectors reaches a provider of %s", async (upstream) => {
  const stage = start();
  for (const caller of ["openai", "genai"]) {
    const [vector] = await callers[caller]!(stage, `${upstream}/sim-embedding`, 8);
    expect(vector).toHaveLength(8);
  }
});

it("an alias of embeddings falls back to its next model, and usage and attempts are reported", async () => {
  const usages: unknown[] = [];
  const attempts: unknown[] = [];
  const { openai } = start({
    models: { vectors: ["chatstyle/sim-embedding-missing", "chatstyle/sim-embedding"] },
    onUsage: ({ model, target, usage }) => void usages.push([model, target, usage.input > 0]),
    onAttempt: ({ target, status }) => void attempts.push([target, status]),
  });
  expect((await openai.embeddings.create({ model: "vectors", input: "one" })).data).toHaveLength(1);
  expect(usages).toEqual([["vectors", "chatstyle/sim-embedding", true]]);
  expect(attempts).toEqual([
    ["chatstyle/sim-embedding-missing", 404],
    ["chatstyle/sim-embedding", 200],
  ]);
});

it("many values of the AI SDK are several calls of a provider, and one list with the usage of all", async () => {
  const stage = start();
  const values = Array.from({ length: 150 }, (_, i) => `text ${i}`);
  const { embeddings, usage } = await embedMany({
    model: stage.manifold.embeddingModel("chatstyle/sim-embedding"),
    values,
  });
  expect(embeddings).toHaveLength(150);
  expect(usage.tokens).toBeGreaterThan(150);
  expect(stage.sent.length).toBe(2);
  const { embedding } = await embed({
    model: stage.manifold.embeddingModel("chatstyle/sim-embedding"),
    value: values[149]!,
  });
  expect(embeddings[149]).toEqual(embedding);
});

it("a provider that takes few inputs in a call gets several calls", async () => {
  const { chatstyle } = providers;
  const embed = { wire: "chatstyle", maxInputs: 2 } as const;
  const stage = start({ providers: { few: { ...chatstyle!, serves: { embed } } } });
  const model = stage.manifold.embeddingModel("few/sim-embedding");
  expect((await embedMany({ model, values: texts })).embeddings).toHaveLength(texts.length);
  expect(await Promise.all(stage.sent.map(async (sent) => (await sent.json()).input.length))).toEqual([2, 1]);
});

it("what the first calls of a request used is reported even if a later one is refused", async () => {
  const most = 2_048;
  const data = Array.from({ length: most }, (_, index) => ({ index, embedding: [1] }));
  const answers = [
    Response.json({ data, usage: { prompt_tokens: 4_096, total_tokens: 4_096 } }),
    Response.json({ error: { message: "no" } }, { status: 400 }),
  ];
  const usages: unknown[] = [];
  const { openai } = start({
    fetch: () => answers.shift() as Response,
    onUsage: ({ usage }) => void usages.push(usage),
  });
  const input = Array.from({ length: most + 1 }, () => "text");
  const refused = openai.embeddings.create({ model: "chatstyle/sim-embedding", input });
  await expect(refused).rejects.toMatchObject({ status: 400 });
  expect(answers).toEqual([]);
  expect(usages).toEqual([expect.objectContaining({ input: 4_096 })]);
});

describe("what only a service refuses", () => {
  it("such as the kind of task and media, reaches a provider of the caller's protocol", async () => {
    const { genai, sent } = start();
    const inline = { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } };
    await genai.models
      .embedContent({
        model: "genstyle/sim-embedding",
        contents: [{ parts: [inline] }],
        config: { taskType: "RETRIEVAL_QUERY", title: "t" },
      })
      .catch(() => undefined);
    expect(await sent[0]?.json()).toMatchObject({
      requests: [{ taskType: "RETRIEVAL_QUERY", title: "t", content: { parts: [inline] } }],
    });
  });

  it("is named where the provider's protocol lacks it, and nothing is sent", async () => {
    const { genai, sent } = start();
    const config = { taskType: "RETRIEVAL_QUERY" };
    await expect(
      genai.models.embedContent({ model: "chatstyle/sim-embedding", contents: texts, config }),
    ).rejects.toThrow(/requests\.0\.taskType/);
    expect(sent).toEqual([]);
  });

  it.each([
    ["chatstyle", 1],
    ["genstyle", 3],
  ])("more than 128 texts are as many calls as a provider of %s needs: %i", async (upstream, calls) => {
    const { openai, sent } = start();
    const input = Array.from({ length: 300 }, (_, i) => `text ${i}`);
    const { data } = await openai.embeddings.create({ model: `${upstream}/sim-embedding`, input });
    expect(data).toHaveLength(300);
    expect(sent).toHaveLength(calls);
  });
});
