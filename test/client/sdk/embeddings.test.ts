import { describe, expect, it } from "vitest";
import { drivers } from "./drivers/index.ts";
import { failureOf, world } from "./world.ts";

/** The SDKs that have embeddings. */
const embedders = drivers.flatMap(({ name, embed, thrown }) => (embed ? [{ name, embed, thrown }] : []));
const texts = ["A cat.", "A dog.", "A cat."];

describe.each(embedders)("$name", ({ embed, thrown }) => {
  it.each(["chatstyle", "genstyle"])("gets a vector of each text from a provider of %s", async (protocol) => {
    const { send, options, simulator } = world();
    const vectors = await embed({ send, options, model: `${protocol}/sim-embed`, texts });
    expect(vectors).toHaveLength(texts.length);
    for (const vector of vectors) {
      expect(vector.length).toBeGreaterThan(1);
      expect(vector.every((value) => Number.isFinite(value))).toBe(true);
    }
    expect(vectors[2]).toEqual(vectors[0]);
    expect(vectors[1]).not.toEqual(vectors[0]);
    for (const entry of simulator.ledger.entries)
      expect(entry).toMatchObject({ protocol, operation: "embed", status: 200, model: "sim-embed" });
  });

  it.each([
    ["nowhere/sim-embed", 404, "nowhere"],
    ["sim-embed", 404, "models"],
    ["groq/a", 401, "GROQ_API_KEY"],
    ["msgstyle/sim-embed", 404, "embed"],
  ])("gets an error of its own class for %s, and nothing is sent", async (model, status, names) => {
    const { send, options, simulator } = world();
    const failure = thrown(await failureOf(embed({ send, options, model, texts })));
    expect(failure).toMatchObject({ kind: expect.any(String), status });
    expect(failure.message).toContain(names);
    expect(simulator.ledger.entries).toEqual([]);
  });
});
