import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

let h: Stage;
beforeAll(async () => {
  h = await startStage({
    models: [
      model("embed-chat", "chatstyle", { outputModalities: ["embedding"] }),
      model("embed-gen", "genstyle", { outputModalities: ["embedding"] }),
    ],
  });
});
afterAll(() => h.close());

const MODELS = ["embed-chat", "embed-gen"];

describe.each(MODELS)("embeddings of %s", (id) => {
  it("the chat SDK gets embeddings as floats, base64 by default, in order", async () => {
    const client = new OpenAI({ apiKey: KEY, baseURL: `${h.origin}/api/chatstyle/v1`, maxRetries: 0 });
    const plain = await client.embeddings.create({
      model: id,
      input: ["one", "two"],
      encoding_format: "float",
    });
    const packed = await client.embeddings.create({ model: id, input: ["one", "two"] });
    expect(plain.data.map(({ index }) => index)).toEqual([0, 1]);
    expect(plain.data[0]?.embedding).not.toEqual(plain.data[1]?.embedding);
    packed.data.forEach(({ embedding }, i) => {
      expect(embedding).toHaveLength(plain.data[i]?.embedding.length ?? 0);
      embedding.forEach((value, at) => {
        expect(value).toBeCloseTo(plain.data[i]?.embedding[at] ?? Number.NaN, 6);
      });
    });
    expect(plain.model).toBe(id);
    expect(plain.usage.prompt_tokens).toBeGreaterThan(0);
  });

  it("the generate-content SDK gets embeddings", async () => {
    const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: `${h.origin}/api/genstyle` } });
    const { embeddings } = await client.models.embedContent({ model: id, contents: ["one", "two"] });
    expect(embeddings).toHaveLength(2);
    expect(embeddings?.[0]?.values?.length).toBeGreaterThan(0);
  });

  it("embeddings come on the messages surface and by the other spelling of generate-content", async () => {
    const listed = await h.call("/api/msgstyle/v1/embeddings", { model: id, input: "one", dimensions: 16 });
    expect((await listed.json()).data[0].embedding).toHaveLength(16);
    const single = await h.call(`/api/genstyle/v1beta/models/${id}:embedContent`, {
      contents: { parts: [{ text: "one" }] },
      config: { outputDimensionality: 16 },
    });
    expect((await single.json()).embedding.values).toHaveLength(16);
  });

  it("the end user is named to a provider that takes it, and reported as a loss elsewhere", async () => {
    const body = { model: id, input: "one", user: "alice" };
    const response = await h.call("/api/chatstyle/v1/embeddings", body);
    expect(response.status).toBe(200);
    const isTold = JSON.stringify(h.simulator.ledger.last()?.request).includes('"alice"');
    expect(isTold).toBe(id === "embed-chat");
    expect(response.headers.get("x-losses") ?? "").toBe(isTold ? "" : "/user;unsupported");
  });

  it("a batch of embeddings comes by `requests` only", async () => {
    const path = `/api/genstyle/v1beta/models/${id}:batchEmbedContents`;
    const content = { parts: [{ text: "one" }] };
    for (const body of [{ contents: content }, {}, { requests: [] }, { requests: null }, { requests: {} }]) {
      const response = await h.call(path, body);
      expect(response.status).toBe(400);
      expect((await response.json()).errors[0]).toMatch(/^requests: must be a non-empty array of/);
    }
    expect((await (await h.call(path, { requests: [{ content }] })).json()).embeddings).toHaveLength(1);
  });

  it.each([
    ["too many inputs", "input", { input: Array.from({ length: 129 }, () => "x") }],
    ["no input", "input", { input: [] }],
    ["an input of a wrong type", "input", { input: 7 }],
    ["an unknown encoding", "encoding_format", { input: "x", encoding_format: "int8" }],
  ])(
    "a request for embeddings with %s is refused before anything is called, and names %s",
    async (_, param, over) => {
      const before = h.simulator.ledger.entries.length;
      const response = await h.call("/api/chatstyle/v1/embeddings", { model: id, ...over });
      expect(response.status).toBe(400);
      expect((await response.json()).error.param).toBe(param);
      expect(h.simulator.ledger.entries.length).toBe(before);
    },
  );

  it("a request for embeddings is charged", async () => {
    const before = (await h.balance()).balance;
    await h.call("/api/chatstyle/v1/embeddings", { model: id, input: "some words to embed" });
    const truth = h.simulator.ledger.last();
    expect(truth?.usage.input).toBeGreaterThan(0);
    expect(before - (await h.balance()).balance).toBe(truth?.usage.input);
    expect(await h.store.money.audit()).toEqual([]);
  });
});

describe("batches and task types by the SDKs", () => {
  const chat = () => new OpenAI({ apiKey: KEY, baseURL: `${h.origin}/api/chatstyle/v1`, maxRetries: 0 });
  it.each([
    ["one list of token ids", [1, 2, 3], 1],
    ["several lists of token ids", [[1, 2], [3]], 2],
  ])("the chat SDK may send %s", async (_, input, vectors) => {
    const { data } = await chat().embeddings.create({ model: "embed-chat", input });
    expect(data).toHaveLength(vectors);
    await expect(chat().embeddings.create({ model: "embed-gen", input })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/input.*token ids are not accepted, only text/),
    });
  });

  it.each(MODELS)("a task type applies to one content and to several of %s", async (model) => {
    const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: `${h.origin}/api/genstyle` } });
    const before = h.simulator.ledger.entries.length;
    for (const contents of ["one", ["one", "two"]])
      await expect(
        client.models.embedContent({ model, contents, config: { taskType: "RETRIEVAL_QUERY" } }),
      ).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining("taskType: is not supported"),
      });
    expect(h.simulator.ledger.entries.length).toBe(before);
  });

  it.each([
    ["chatstyle", { task_type: "x" }],
    ["msgstyle", { taskType: "x" }],
  ])("a member that %s does not have is reported as a loss", async (surface, more) => {
    const body = { model: "embed-gen", input: "one", ...more };
    const answer = await h.call(`/api/${surface}/v1/embeddings`, body);
    expect(answer.headers.get("x-losses")).toContain(Object.keys(more)[0]);
  });
});

it("task types are refused on the generate-content surface", async () => {
  const response = await h.call("/api/genstyle/v1beta/models/embed-gen:embedContent", {
    contents: { parts: [{ text: "one" }] },
    config: { taskType: "RETRIEVAL_QUERY" },
  });
  expect(response.status).toBe(400);
  expect((await response.json()).errors[0]).toContain("taskType");
});
