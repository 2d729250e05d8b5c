import { HTTPClient, Mistral } from "@mistralai/mistralai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { type Options, ORIGIN, startClient } from "./stage.ts";

const start = (options: Options = {}) => {
  const stage = startClient();
  const service = { origin: ORIGIN, key: "provider-key", speaks: [] };
  const fetch = stage.client({
    ...options,
    providers: { service: { ...service, serves: { moderation: "chatstyle" } }, ...options.providers },
  });
  return {
    ...stage,
    openai: new OpenAI({ apiKey: "unused", fetch, maxRetries: 0 }),
    mistral: new Mistral({ apiKey: "unused", httpClient: new HTTPClient({ fetcher: fetch }) }),
  };
};
const texts = ["Good morning.", "I will kill you."];

describe.each(["chatstyle", "service"])("moderation by the provider %s", (provider) => {
  const model = `${provider}/sim-moderation`;

  it("has a verdict for each text, in openai's SDK and in Mistral's", async () => {
    const { openai, mistral } = start();
    const verdicts = await openai.moderations.create({ model, input: texts });
    expect(verdicts).toMatchObject({ id: expect.any(String), model });
    expect(verdicts.results.map(({ flagged }) => flagged)).toEqual([false, true]);
    const same = await mistral.classifiers.moderate({ model, inputs: texts });
    expect(same.results.map(({ categories }) => categories?.violence)).toEqual([false, true]);
  });

  it("judges a text with its image together", async () => {
    const { openai, sent } = start();
    const image = { type: "image_url" as const, image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    const input = [{ type: "text" as const, text: "Good morning." }, image];
    await openai.moderations.create({ model, input }).catch(() => undefined);
    expect(await sent[0]?.json()).toEqual({ model: "sim-moderation", input });
  });
});

describe("moderation", () => {
  it("falls back, and its tokens are estimated where the provider counts none", async () => {
    const events: unknown[] = [];
    const { openai } = start({
      models: {
        judge: ["chatstyle/sim-missing", { target: "chatstyle/sim-moderation", price: { input: 1 } }],
      },
      onAttempt: ({ target, status }) => void events.push([target, status]),
      onUsage: ({ usage, cost }) => void events.push([usage, cost]),
    });
    expect((await openai.moderations.create({ model: "judge", input: texts })).results).toHaveLength(2);
    expect(events).toEqual([
      ["chatstyle/sim-missing", 404],
      ["chatstyle/sim-moderation", 200],
      [{ input: 8, output: 0, estimated: true }, 8],
    ]);
  });

  it.each([
    ["nowhere/m", texts, 404, "nowhere"],
    ["msgstyle/sim-text", texts, 404, "'msgstyle' serves no moderation"],
    ["chatstyle/m", [], 400, "input"],
    [undefined, texts, 400, "model"],
  ])(
    "by %s of %o is refused as the SDK's own error, and nothing is sent",
    async (model, input, status, names) => {
      const { openai, sent } = start();
      const failure = openai.moderations.create({ ...(model && { model }), input });
      await expect(failure).rejects.toBeInstanceOf(OpenAI.APIError);
      await expect(failure).rejects.toMatchObject({ status, message: expect.stringContaining(names) });
      expect(sent).toEqual([]);
    },
  );

  it("without a verdict for each text is status 502", async () => {
    const { openai } = start({ fetch: () => Response.json({ results: [{ flagged: true }] }) });
    await expect(openai.moderations.create({ model: "chatstyle/m", input: texts })).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining("1 verdicts for 2 inputs"),
    });
  });
});
