import type { JsonObject } from "@manifold-gateway/core/codec";
import { defineProvider } from "@manifold-gateway/providers";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model, price } from "../../support/text.ts";

const MODERATIONS = "/api/chatstyle/v1/moderations";
const judging = { outputModalities: ["moderation"] };
const entry = { provider: "chatstyle", name: "judge", priority: 1, isActive: true };
const models = [
  model("free", "chatstyle", { ...judging, entries: [{ ...entry, price: {} }] }),
  model("priced", "chatstyle", { ...judging, entries: [{ ...entry, price }] }),
  model("of-texts", "chatstyle", { ...judging, inputModalities: ["text"], entries: [{ ...entry, price }] }),
  model("elsewhere", "apart", { ...judging, entries: [{ ...entry, provider: "apart", price }] }),
];

let h: Stage;
let image: string;
beforeAll(async () => {
  h = await startStage({
    models,
    providers: (origin) => {
      const options = { origin, key: "upstream-secret" };
      return new Map([
        ["chatstyle", defineProvider("chatstyle", { ...options, speaks: ["chatstyle"] })],
        ["apart", defineProvider("apart", { ...options, speaks: [], serves: { moderation: "chatstyle" } })],
      ]);
    },
  });
  const bytes = Buffer.from(await (await fetch(`${h.upstream}/samples/64x64.png`)).arrayBuffer());
  image = `data:image/png;base64,${bytes.toString("base64")}`;
});
afterAll(() => h.close());

const judge = (id: string | undefined, input: unknown, init?: RequestInit) =>
  h.call(MODERATIONS, { ...(id && { model: id }), input }, init);
const spent = async (run: () => Promise<unknown>): Promise<number> => {
  const { balance } = await h.balance();
  await run();
  return balance - (await h.balance()).balance;
};
const parts = (text: string): JsonObject[] => [
  { type: "text", text },
  { type: "image_url", image_url: { url: image } },
];

describe("verdicts", () => {
  it("the chat SDK gets a verdict for each text, and one for all parts", async () => {
    const client = new OpenAI({ apiKey: KEY, baseURL: `${h.origin}/api/chatstyle/v1`, maxRetries: 0 });
    const each = await client.moderations.create({
      model: "free",
      input: ["Good morning.", "I will kill you."],
    });
    expect(each.model).toBe("free");
    expect(each.results.map(({ flagged }) => flagged)).toEqual([false, true]);
    expect(each.results[1]?.categories.violence).toBe(true);
    expect(each.results[1]?.category_scores.violence).toBeGreaterThan(0.5);
    const both = await client.moderations.create({ model: "free", input: parts("Good morning.") as never });
    expect(both.results).toHaveLength(1);
    expect(both.results[0]?.category_applied_input_types.violence).toEqual(["text", "image"]);
    const one = await client.moderations.create({ input: "Good morning." });
    expect([one.model, one.results[0]?.flagged]).toEqual(["free", false]);
  });

  it("a provider without a protocol of text serves them", async () => {
    expect((await judge("elsewhere", "Good morning.")).status).toBe(200);
  });
});

describe("charges", () => {
  it("a free model costs nothing, and another what was judged", async () => {
    expect(await spent(() => judge("free", ["one", "two"]))).toBe(0);
    const cost = await spent(() => judge("priced", "some words to judge"));
    expect(cost).toBe(Math.ceil("some words to judge".length / 4));
    expect(await spent(() => judge("priced", parts("some words to judge")))).toBeGreaterThan(cost);
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    expect(results[0]).toMatchObject({ model: "priced", usage: { estimated: true } });
    expect(await h.store.money.audit()).toEqual([]);
  });

  it("a failing provider costs nothing", async () => {
    const cost = await spent(async () => {
      expect((await judge("priced", "hi [[fault:status=400]]")).status).toBeGreaterThanOrEqual(400);
    });
    expect(cost).toBe(0);
  });
});

describe("requests that are refused", () => {
  it.each<[string, string, string, () => unknown, RegExp]>([
    ["no input", "free", "input", () => [], /^input: /],
    [
      "a number",
      "free",
      "input",
      () => 7,
      /^input: must be a string, an array of strings, or an array of parts/,
    ],
    [
      "texts among parts",
      "free",
      "input",
      () => ["a", ...parts("b")],
      /^input\.0: must be a part of the type text or image_url/,
    ],
    [
      "a file of another kind",
      "free",
      "input",
      () => [{ type: "image_url", image_url: { url: "file:///a" } }],
      /^input/,
    ],
    [
      "an image that the model does not judge",
      "of-texts",
      "input",
      () => parts("a"),
      /^input\.1: image is not/,
    ],
  ])(
    "%s: the error names the field, and nothing is called or charged",
    async (_, id, param, input, message) => {
      const before = h.simulator.ledger.entries.length;
      const cost = await spent(async () => {
        const response = await judge(id, input());
        const { error, errors } = await response.json();
        expect([response.status, error.param]).toEqual([400, param]);
        expect(errors[0]).toMatch(message);
      });
      expect([h.simulator.ledger.entries.length - before, cost]).toEqual([0, 0]);
    },
  );

  it("a model that only chats is not asked to judge, and the error names one that does", async () => {
    const before = h.simulator.ledger.entries.length;
    const response = await judge("sim-chatstyle", "Good morning.");
    const { errors, code } = await response.json();
    expect([response.status, code]).toEqual([400, "model_not_capable"]);
    expect(errors[0]).toMatch(
      /'sim-chatstyle' does not generate moderations; it generates text\. 'free' does/,
    );
    expect(h.simulator.ledger.entries.length).toBe(before);
  });

  it("a service without a model that judges needs a name", async () => {
    const bare = await startStage({ listens: false });
    const response = await bare.call(MODERATIONS, { input: "Good morning." });
    const { errors, error } = await response.json();
    expect([response.status, error.param]).toEqual([400, "model"]);
    expect(errors[0]).toMatch(/^model: is required/);
    await bare.close();
  });
});
