import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  const served = (id: string, provider: string, name: string): Model => ({
    ...{ id, inputModalities: ["text"], outputModalities: ["embedding"], isActive: true, revision: 1 },
    entries: [{ provider, name, priority: 1, isActive: true, price: { input: 200_000 } }],
  });
  h = await startStage({
    catalog: createCatalog([
      served("vectors", "narrow", "gemini-embedding-2"),
      served("few", "small", "text-embedding-v4"),
    ]),
    providers: (origin) =>
      new Map([
        [
          "narrow",
          defineProvider("narrow", {
            ...{ origin, key: "upstream-secret", speaks: ["genstyle"] },
            concurrency: { maxConcurrent: 1, wait: 200 },
          }),
        ],
        [
          "small",
          defineProvider("small", {
            ...{ origin, key: "upstream-secret", speaks: ["chatstyle"] },
            serves: { embed: { wire: "chatstyle", maxInputs: 50 } },
          }),
        ],
      ]),
  });
});
afterAll(() => h.close());

it("a request of several calls takes one place at its provider at a time, and is one generation", async () => {
  const body = { model: "vectors", input: Array.from({ length: 120 }, (_, i) => `text ${i}`) };
  const response = await h.call("/api/chatstyle/v1/embeddings", body);
  expect(response.status).toBe(200);
  expect((await response.json()).data).toHaveLength(120);
  expect(h.simulator.ledger.entries).toHaveLength(2);
  expect(response.headers.get("x-attempts")?.split(", ")).toHaveLength(2);
  expect(await h.store.money.audit()).toEqual([]);
});

it("a request with more inputs than its provider takes in one call is several calls, in order", async () => {
  const texts = Array.from({ length: 120 }, (_, i) => `text ${i}`);
  const vectors = async (input: string[]): Promise<unknown[]> => {
    const response = await h.call("/api/chatstyle/v1/embeddings", { model: "few", input });
    expect(response.status).toBe(200);
    return (await response.json()).data.map(({ embedding }: { embedding: number[] }) => embedding);
  };
  const before = h.simulator.ledger.entries.length;
  const all = await vectors(texts);
  expect(h.simulator.ledger.entries.length - before).toBe(3);
  expect(all).toHaveLength(120);
  expect(await vectors(texts.slice(70, 72))).toEqual(all.slice(70, 72));
});
