import { APIError as MessagesError } from "@anthropic-ai/sdk";
import { ApiError as GenerateError } from "@google/genai";
import { APIError as ChatError } from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { stage } from "./stage.ts";

const set = stage({ listens: false });
const REF = { accountId: "acc", id: "key" };
const model = "sim-chatstyle";
const messages = [{ role: "user" as const, content: "Say hello." }];
const chat = () => set.chatstyle.chat.completions.create({ model, messages });
const message = () => set.msgstyle.messages.create({ model, messages, max_tokens: 20 });
const generate = () => set.genstyle.models.generateContent({ model, contents: "Say hello." });

/** Limits the key, and waits until the gateway has heard of it. */
const restrict = async (requestsPerMinute: number | null) => {
  await set.h.store.keys.change(REF, { restrictions: { requestsPerMinute } });
  await expect
    .poll(async () => (await chat().withResponse()).response.headers.has("x-ratelimit-limit-requests"))
    .toBe(requestsPerMinute !== null);
};
afterEach(() => set.h.store.keys.change(REF, { restrictions: { requestsPerMinute: null } }));

describe("limits of a key", () => {
  it("the clients of each surface read the limits of a key from answers and refusals", async () => {
    await restrict(1_000);
    const chatted = (await chat().withResponse()).response.headers;
    expect(chatted.get("x-ratelimit-limit-requests")).toBe("1000");
    const said = (await message().withResponse()).response.headers;
    const left = Number(said.get("anthropic-ratelimit-requests-remaining"));
    expect(left).toBe(Number(chatted.get("x-ratelimit-remaining-requests")) - 1);
    await generate();
    await set.h.store.keys.change(REF, { restrictions: { requestsPerMinute: 1 } });
    let refused: unknown;
    await expect
      .poll(() =>
        chat().then(
          () => undefined,
          (error: unknown) => (refused = error),
        ),
      )
      .toBeInstanceOf(ChatError);
    expect(refused).toMatchObject({ status: 429, code: "too_many_requests" });
    const { headers } = refused as ChatError;
    expect([headers?.get("retry-after"), headers?.get("x-ratelimit-remaining-requests")]).toEqual([
      expect.stringMatching(/^\d+$/),
      "0",
    ]);
    const messageError = await message().catch((error: unknown) => error);
    expect(messageError).toBeInstanceOf(MessagesError);
    expect(messageError).toMatchObject({ status: 429, error: { error: { type: "rate_limit_error" } } });
    const at = (messageError as MessagesError).headers?.get("anthropic-ratelimit-requests-reset") ?? "";
    expect(Date.parse(at)).toBeGreaterThan(Date.now());
    const generateError = await generate().catch((error: unknown) => error);
    expect(generateError).toBeInstanceOf(GenerateError);
    expect((generateError as GenerateError).status).toBe(429);
    expect((generateError as GenerateError).message).toMatch(/RetryInfo.*retryDelay/);
  });
});
