import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { startClient } from "./stage.ts";

const TEXT = "How many tokens are these few words?";
const apiKey = "unused";
type Fetch = ReturnType<ReturnType<typeof startClient>["client"]>;

/** The tokens of a text by each SDK that counts. */
const callers: Record<string, (fetch: Fetch, model: string, text: string) => Promise<number | undefined>> = {
  responses: async (fetch, model, input) =>
    (await new OpenAI({ fetch, apiKey, maxRetries: 0 }).responses.inputTokens.count({ model, input }))
      .input_tokens,
  msgstyle: async (fetch, model, content) =>
    (
      await new Anthropic({ fetch, apiKey, maxRetries: 0 }).messages.countTokens({
        model,
        messages: [{ role: "user", content }],
      })
    ).input_tokens,
  genstyle: async (fetch, model, contents) =>
    (await new GoogleGenAI({ apiKey, httpOptions: { fetch } }).models.countTokens({ model, contents }))
      .totalTokens,
};
const protocols = Object.keys(callers);

describe.each(protocols)("the count of tokens for an SDK of %s", (caller) => {
  const count = callers[caller]!;

  it.each(protocols)("is that of a provider of %s", async (provider) => {
    const { client, simulator } = startClient();
    const model = `${provider}/sim-text`;
    const tokens = await count(client(), model, TEXT);
    expect(tokens).toBeGreaterThan(3);
    expect(await count(client(), model, `${TEXT} ${TEXT}`)).toBeGreaterThan(tokens!);
    for (const entry of simulator.ledger.entries)
      expect(entry).toMatchObject({ operation: "count", protocol: provider, model: "sim-text", status: 200 });
  });

  it("is the SDK's own error 404 for a provider that cannot count, and nothing is sent", async () => {
    const { client, sent } = startClient();
    await expect(count(client(), "chatstyle/sim-text", TEXT)).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("'chatstyle' counts no tokens"),
    });
    expect(sent).toEqual([]);
  });

  it.each(protocols)("is the SDK's own error where a provider of %s refuses", async (provider) => {
    const { client, simulator } = startClient();
    simulator.script("[[fault:status=400]]", { times: 1 });
    await expect(count(client(), `${provider}/sim-text`, TEXT)).rejects.toMatchObject({ status: 400 });
  });
});

it("the tokens of a whole request inside a count are counted by any provider", async () => {
  for (const provider of protocols) {
    const { client, simulator } = startClient();
    const contents = [{ role: "user", parts: [{ text: TEXT }] }];
    const response = await client()(`https://any.test/v1beta/models/${provider}/sim-text:countTokens`, {
      method: "POST",
      body: JSON.stringify({ generateContentRequest: { model: "models/any", contents } }),
    });
    expect(await response.json()).toMatchObject({ totalTokens: expect.toSatisfy((n: number) => n > 3) });
    expect(simulator.ledger.last()).toMatchObject({ operation: "count", protocol: provider });
  }
});
