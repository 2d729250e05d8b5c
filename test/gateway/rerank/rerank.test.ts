import type { JsonObject } from "@manifold-gateway/core/codec";
import { defineProvider, type Provider } from "@manifold-gateway/providers";
import { HTTPClient, OpenRouter } from "@openrouter/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { RERANK_WIRES, rerankModels, rerankProviders, UNIT } from "../../support/ranking.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, price } from "../../support/text.ts";

const RERANK = "/api/chatstyle/v1/rerank";
const QUERY = "Where do llamas live?";
const DOCUMENTS = ["Pandas live in China.", "Llamas live in the Andes.", "It rains.", "Do llamas spit?"];
const ranking = { outputModalities: ["ranking"] };
const models = [
  ...rerankModels,
  // Of a provider of chats that has no service of its own.
  model("beside-chat", "chatstyle", ranking),
  model("free", "rerankstyle", {
    ...ranking,
    entries: [{ provider: "rerankstyle", name: "r", priority: 1, isActive: true, price: {} }],
  }),
  model("unpriced", "rerankstyle", {
    ...ranking,
    entries: [{ provider: "rerankstyle", name: "r", priority: 1, isActive: true }],
  }),
];

const providers = (origin: string): Map<string, Provider> =>
  new Map(
    [
      ...rerankProviders(origin),
      defineProvider("chatstyle", { origin, key: "upstream-secret", speaks: ["chatstyle"] }),
    ].map((provider) => [provider.id, provider]),
  );

let h: Stage;
beforeAll(async () => {
  h = await startStage({ listens: false, models, providers });
});
afterAll(() => h.close());

const rank = (id: string, more: JsonObject = {}, headers: Record<string, string> = {}) =>
  h.call(RERANK, { model: id, query: QUERY, documents: DOCUMENTS, ...more }, { headers });
const spent = async (run: () => Promise<unknown>): Promise<number> => {
  const { balance } = await h.balance();
  await run();
  return balance - (await h.balance()).balance;
};
/** What the simulator knows of its last answer, priced. */
const owed = (): number => {
  const { usage, searchUnits = 0 } = h.simulator.ledger.last() ?? { usage: { input: 0 } };
  return usage.input + searchUnits * UNIT;
};

describe.each([...RERANK_WIRES, "beside-chat"])("documents of %s", (id) => {
  it("the best come first, no more than requested, and the charge is what the provider bills", async () => {
    let body: { results: { index: number; relevance_score: number; document?: unknown }[]; model: string };
    const cost = await spent(async () => {
      const response = await rank(id, { top_n: 2 });
      expect(response.status).toBe(200);
      body = await response.json();
    });
    expect(body!.model).toBe(id);
    expect(body!.results.map(({ index }) => index)).toEqual([1, 3]);
    expect(owed()).toBeGreaterThan(0);
    expect(cost).toBe(owed());
    expect(await h.store.money.audit()).toEqual([]);
  });

  it("an answer without usage is charged by the estimate, and recorded so", async () => {
    const cost = await spent(async () => {
      expect((await rank(id, { query: `${QUERY} [[fault:no-usage]]` })).status).toBe(200);
    });
    expect(cost).toBeGreaterThan(0);
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    expect(results[0]).toMatchObject({ cost, usage: { estimated: true } });
  });

  it("documents come back as they were sent, by the default of each version or if they are requested", async () => {
    const documents = [{ text: "It rains.", id: 7 }, "Llamas live in the Andes."];
    const returned = async (version: "v1" | "v2", more: JsonObject) => {
      const body = { model: id, query: QUERY, documents, ...more };
      const { results } = await h.json(`/api/chatstyle/${version}/rerank`, body);
      return results.flatMap((result: JsonObject) => result.document ?? []);
    };
    const all = [{ text: "Llamas live in the Andes." }, { text: "It rains.", id: 7 }];
    expect(await returned("v1", {})).toEqual(all);
    expect(await returned("v1", { return_documents: false })).toEqual([]);
    expect(await returned("v2", {})).toEqual([]);
    expect(await returned("v2", { return_documents: true })).toEqual(all);
  });

  it("OpenRouter's SDK reads the answer", async () => {
    const sdk = new OpenRouter({
      apiKey: KEY,
      serverURL: `${h.origin}/api/chatstyle/v1`,
      httpClient: new HTTPClient({ fetcher: async (request) => h.gateway.fetch(new Request(request)) }),
      retryConfig: { strategy: "none" },
    });
    const request = { model: id, query: QUERY, documents: [...DOCUMENTS], topN: 1 };
    const answer = await sdk.rerank.rerank({ requestBody: request });
    expect(answer).toMatchObject({ model: id, results: [{ index: 1, document: { text: DOCUMENTS[1] } }] });
  });

  it("a failing provider costs nothing", async () => {
    const cost = await spent(async () => {
      const response = await rank(id, { query: `${QUERY} [[fault:status=400]]` });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get("x-error-source")).toBe("provider");
    });
    expect(cost).toBe(0);
    await h.settled();
  });
});

describe("prices", () => {
  it("long documents and many of them are several search units", async () => {
    const documents = Array.from({ length: 120 }, (_, i) => `${i} ${"llama ".repeat(i === 0 ? 900 : 3)}`);
    const cost = await spent(() => rank("searchstyle", { documents }));
    expect(cost).toBe(owed());
    expect(cost / UNIT).toBe(2);
    const [record] = (await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 })).results;
    expect(record?.usage).toMatchObject({ searchUnits: 2 });
  });

  it("a free model costs nothing, and one without a price is not called", async () => {
    expect(await spent(async () => expect((await rank("free")).status).toBe(200))).toBe(0);
    const response = await rank("unpriced");
    expect([response.status, (await response.json()).code]).toEqual([400, "model_unpriced"]);
  });

  it("a hold that does not fit refuses the request before anything is called", async () => {
    const poor = await startStage({ listens: false, models, providers, credit: 100, admission: "strict" });
    for (const id of ["searchstyle", "rerankstyle"]) {
      const response = await poor.call(RERANK, { model: id, query: QUERY, documents: DOCUMENTS });
      expect(response.status, id).toBe(403);
    }
    // The query is read with each document, so the body alone is no bound.
    const documents = Array.from({ length: 40 }, () => "x");
    expect((await poor.call(RERANK, { model: "rerankstyle", query: "abc", documents })).status).toBe(403);
    const small = { model: "rerankstyle", query: "a", documents: ["b"] };
    expect((await poor.call(RERANK, small)).status).toBe(200);
    expect(poor.simulator.ledger.entries).toHaveLength(1);
    expect((await poor.balance()).balance).toBeGreaterThanOrEqual(0);
    await poor.close();
  });
});

describe("requests that are refused", () => {
  it.each<[string, string, JsonObject, RegExp]>([
    ["no query", "query", { query: "" }, /^query: must not be empty/],
    ["no documents", "documents", { documents: [] }, /^documents: must have at least one document/],
    ["a document without text", "documents", { documents: ["a", { title: "b" }] }, /^documents\.1: must be/],
    ["an image", "documents", { documents: [{ image: "https://a.test/x.png" }] }, /^documents\.0: must be/],
    ["a limit of none", "top_n", { top_n: 0 }, /^top_n: /],
    ["more documents than the provider takes", "documents", { documents: Array(1_001).fill("x") }, /1000/],
  ])("%s: the error names %s, and nothing is called or charged", async (_, param, more, message) => {
    const before = h.simulator.ledger.entries.length;
    const cost = await spent(async () => {
      const response = await rank("topstyle", more);
      const { error, errors } = await response.json();
      expect([response.status, error.param]).toEqual([400, param]);
      expect(errors[0]).toMatch(message);
    });
    expect([h.simulator.ledger.entries.length - before, cost]).toEqual([0, 0]);
  });

  it("a model that only chats is refused, and the error names one that ranks", async () => {
    const response = await rank("sim-chatstyle");
    const { errors, code } = await response.json();
    expect([response.status, code]).toEqual([400, "model_not_capable"]);
    expect(errors[0]).toMatch(
      /'sim-chatstyle' does not generate rankings; it generates text\. 'rerankstyle' does/,
    );
  });

  it("a model that ranks does not chat", async () => {
    const messages = [{ role: "user", content: "hi" }];
    const response = await h.call("/api/chatstyle/v1/chat/completions", { model: "rerankstyle", messages });
    expect([response.status, (await response.json()).code]).toEqual([400, "model_not_capable"]);
  });

  it("what a provider lacks is reported as a loss, or refused by policy", async () => {
    const more = { max_tokens_per_doc: 100 };
    const answer = await rank("topstyle", more);
    expect([answer.status, answer.headers.get("x-losses")]).toEqual([200, "/max_tokens_per_doc;unsupported"]);
    const strict = await rank("topstyle", more, { "x-loss-policy": "strict" });
    expect([strict.status, (await strict.json()).error.param]).toEqual([400, "max_tokens_per_doc"]);
    expect((await rank("searchstyle", more)).headers.get("x-losses")).toBeNull();
  });
});

it("an explanation has the provider's request, and nothing is called", async () => {
  const before = h.simulator.ledger.entries.length;
  const answer = await (await rank("searchstyle", { top_n: 1 }, { "x-explain": "true" })).json();
  expect(JSON.stringify(answer)).toContain('"path":"/v2/rerank"');
  expect(h.simulator.ledger.entries.length).toBe(before);
});

it("the next entry serves when the first is away", async () => {
  const gone = defineProvider("gone", {
    ...{ origin: "http://127.0.0.1:9", key: "k", speaks: [] },
    serves: { rerank: "rerankstyle" },
  });
  const entries = ["gone", "searchstyle"].map((provider, i) => ({
    ...{ provider, name: "r", priority: i + 1, isActive: true },
    price: provider === "gone" ? price : { searchUnits: UNIT * 1_000_000 },
  }));
  const two = await startStage({
    models: [model("two", "gone", { ...ranking, entries })],
    providers: (origin) => new Map([...providers(origin), ["gone", gone]]),
  });
  const before = (await two.balance()).balance;
  const response = await two.call(RERANK, { model: "two", query: QUERY, documents: DOCUMENTS });
  expect(response.status).toBe(200);
  expect(before - (await two.balance()).balance).toBe(UNIT);
  await two.close();
});
