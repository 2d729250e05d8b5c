import { createManifold } from "@manifold-gateway/client/ai-sdk";
import { rerank } from "ai";
import { describe, expect, it } from "vitest";
import { RERANK_WIRES, rerankPlaces } from "../support/ranking.ts";
import { type Options, ORIGIN, startClient } from "./stage.ts";

/** A provider of each wire of rankings, by the wire's name. */
const providers = Object.fromEntries(
  RERANK_WIRES.map((wire) => [
    wire,
    {
      ...{ origin: ORIGIN, key: "provider-key", speaks: [] },
      serves: { rerank: { wire, origin: ORIGIN + rerankPlaces[wire] } },
    },
  ]),
);
const query = "Where do llamas live?";
const documents = ["It rains.", "Llamas live in the Andes.", "Llamas eat grass."];

const start = (options: Options = {}) => {
  const stage = startClient();
  const all = { ...options, providers: { ...stage.options.providers, ...providers } };
  return { ...stage, fetch: stage.client(all), manifold: createManifold({ ...stage.options, ...all }) };
};

interface Ranking {
  model: string;
  results: { index: number; relevance_score: number; document?: unknown }[];
  error: { message: string };
}

async function post(
  { fetch }: ReturnType<typeof start>,
  body: object,
  path = "/v2/rerank",
): Promise<{ status: number; body: Ranking }> {
  const response = await fetch(`https://api.vendor.test${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, documents, ...body }),
  });
  return { status: response.status, body: (await response.json()) as Ranking };
}

describe.each([...RERANK_WIRES, "chatstyle"])("rankings by a provider of %s", (wire) => {
  const model = `${wire}/sim-rerank`;

  it("are the same for vendors' clients of either version, and for the AI SDK", async () => {
    const stage = start();
    const plain = (await post(stage, { model, top_n: 2 })).body;
    expect(plain.model).toBe(model);
    expect(plain.results.map(({ index }) => index)).toEqual([1, 2]);
    const before = await post(stage, { model, top_n: 2, return_documents: true }, "/v1/rerank");
    expect(before.body.results[0]?.document).toEqual({ text: documents[1] });
    const { ranking } = await rerank({
      model: stage.manifold.rerankingModel(model),
      query,
      documents,
      topN: 2,
    });
    expect(ranking.map(({ originalIndex, score }) => [originalIndex, score])).toEqual(
      plain.results.map(({ index, relevance_score }) => [index, relevance_score]),
    );
  });

  it("have the provider's error as it is, and as the AI SDK's own", async () => {
    const stage = start();
    stage.simulator.script("[[fault:status=400]]", { times: 2 });
    const { status, body } = await post(stage, { model });
    expect(status).toBe(400);
    const [words] = Object.values(body);
    const reranker = stage.manifold.rerankingModel(model);
    await expect(rerank({ model: reranker, query, documents, maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 400,
      message: (words as { message?: string }).message ?? words,
    });
  });
});

describe("rankings", () => {
  it("fall back, and their calls, losses and costs are reported by the units of their provider", async () => {
    const events: unknown[] = [];
    const stage = start({
      models: {
        best: [
          "chatstyle/sim-missing",
          { target: "searchstyle/sim-rerank", price: { searchUnits: 0.002 } },
          "rerankstyle/sim-rerank",
        ],
        unpriced: "searchstyle/sim-rerank",
        tokens: { target: "rerankstyle/sim-rerank", price: { input: 1 } },
      },
      onAttempt: ({ target, status }) => void events.push([target, status]),
      onLoss: ({ of, path, why }) => void events.push([of, path, why]),
      onUsage: ({ usage, cost }) => void events.push([usage.searchUnits, usage.estimated, cost]),
    });
    expect((await post(stage, { model: "best", max_chunks_per_doc: 3 })).status).toBe(200);
    expect(events).toEqual([
      ["chatstyle/sim-missing", 404],
      ["searchstyle/sim-rerank", 200],
      ["request", "/max_chunks_per_doc", "unsupported"],
      [1, undefined, 2000],
    ]);
    events.length = 0;
    await post(stage, { model: "unpriced" });
    expect(events.at(-1)).toEqual([1, undefined, undefined]);
    await post(stage, { model: "tokens" });
    expect(events.at(-1)).toEqual([undefined, undefined, expect.any(Number)]);
  });

  it("of a known model cost what its vendor's list says", async () => {
    const costs: unknown[] = [];
    let calls = 0;
    const { fetch } = start({
      env: { CO_API_KEY: "any", VOYAGE_API_KEY: "any" },
      fetch: ({ url }) =>
        Response.json({
          results: [{ index: 0, relevance_score: 1 }],
          ...(url.includes("cohere")
            ? { meta: { billed_units: { search_units: 3 } } }
            : { usage: calls++ === 0 ? { total_tokens: 1_000 } : { search_units: 1 } }),
        }),
      onUsage: ({ model, cost, usage }) => void costs.push([model, cost, usage.estimated ?? false]),
    });
    // A unit that has a price and is not reported is estimated.
    for (const model of ["cohere/rerank-v3.5", "voyage/rerank-2.5", "voyage/rerank-2.5-lite"])
      await fetch("https://api.vendor.test/v1/rerank", {
        method: "POST",
        body: JSON.stringify({ model, query, documents }),
      });
    expect(costs).toEqual([
      ["cohere/rerank-v3.5", 6_000, false],
      ["voyage/rerank-2.5", 50, false],
      ["voyage/rerank-2.5-lite", 1, true],
    ]);
  });

  it("of objects are compared as JSON for the AI SDK, which is a warning", async () => {
    const { manifold } = start();
    const values = documents.map((text, id) => ({ id, text }));
    const result = await manifold.rerankingModel("searchstyle/sim-rerank").doRerank({
      query,
      documents: { type: "object", values },
    });
    expect(result.ranking[0]?.index).toBe(1);
    expect(result.warnings).toEqual([
      { type: "compatibility", feature: "documents", details: "objects are compared as JSON" },
    ]);
  });

  it.each([
    [{ model: "nowhere/r" }, 404, "nowhere"],
    [{ model: "msgstyle/sim-text" }, 404, "'msgstyle' serves no rankings"],
    [{ model: "chatstyle/r", documents: [] }, 400, "documents"],
    [{ model: "chatstyle/r", top_n: 0 }, 400, "top_n"],
    [{}, 400, "model"],
  ])("of %o are refused, and nothing is sent", async (body, status, names) => {
    const stage = start();
    const answer = await post(stage, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error.message).toContain(names);
    expect(stage.sent).toEqual([]);
  });

  it("that lose something are not sent under `refuse`", async () => {
    const stage = start({ losses: "refuse" });
    const answer = await post(stage, { model: "scorestyle/sim-rerank", max_tokens_per_doc: 9 });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain("max_tokens_per_doc");
    expect(stage.sent).toEqual([]);
  });

  it("that name a document twice, or one that was not sent, are status 502", async () => {
    for (const results of [
      [
        { index: 0, relevance_score: 1 },
        { index: 0, relevance_score: 1 },
      ],
      [{ index: 3, relevance_score: 1 }],
      [],
    ]) {
      const stage = start({ fetch: () => Response.json({ results }) });
      const answer = await post(stage, { model: "chatstyle/r" });
      expect(answer.status).toBe(502);
      expect(answer.body.error.message).toContain("no readable ranking");
    }
  });
});
