import { createFetch } from "@manifold-gateway/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const chunkOf = (content: string): string =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** The usage that is reported of one answer, which the caller reads to its end. */
async function usageOf(answer: Response, stream: boolean): Promise<unknown> {
  const reported: unknown[] = [];
  const fetch = createFetch({
    providers: { p: { origin: "https://p.test", speaks: ["chatstyle"], key: "k" } },
    fetch: async () => answer,
    onUsage: ({ usage }) => reported.push(usage),
  });
  const body = JSON.stringify({ model: "p/m", stream, messages: [{ role: "user", content: "Hi" }] });
  const response = await fetch("https://any.test/v1/chat/completions", { method: "POST", body });
  await response.text();
  expect(reported).toHaveLength(1);
  return reported[0];
}

const asStream = (text: string): Response =>
  new Response(text, { headers: { "content-type": "text/event-stream" } });

const content = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 200 });

describe("the usage of an answer", () => {
  it("is estimated by its text, and marked, where the provider gives none", async () => {
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: text } }];
        const whole = Response.json({ id: "1", object: "chat.completion", model: "m", choices });
        const estimate = { input: expect.any(Number), output: Math.ceil(text.length / 4), estimated: true };
        expect(await usageOf(whole, false)).toEqual(estimate);
        expect(await usageOf(asStream(`${chunkOf(text)}data: [DONE]\n\n`), true)).toEqual(estimate);
      }),
      { numRuns: 20 },
    );
  });

  it("is estimated for a stream that broke off, and the provider's where it is whole", async () => {
    expect(await usageOf(asStream(chunkOf("Hello, world")), true)).toMatchObject({
      output: 3,
      estimated: true,
    });
    const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
    const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hello" } }];
    const whole = Response.json({ id: "1", object: "chat.completion", model: "m", choices, usage });
    expect(await usageOf(whole, false)).toEqual({ input: 9, output: 4 });
  });
});
