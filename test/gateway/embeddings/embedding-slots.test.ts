import { createCatalog } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  const entry = {
    ...{ provider: "narrow", name: "gemini-embedding-2", priority: 1, isActive: true },
    price: { input: 200_000 },
  };
  h = await startStage({
    catalog: createCatalog([
      {
        ...{ id: "vectors", inputModalities: ["text"], outputModalities: ["embedding"] },
        ...{ isActive: true, revision: 1, entries: [entry] },
      },
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
